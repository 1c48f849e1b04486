import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { expect, test } from 'vitest'
import { exponentOf, isCurrency } from '../../../../shared/commerce/iso.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { packAisleNode } from '../../../build/aisle-node.ts'
import { collectRecipeCode } from '../../../build/recipe-code.ts'
import { MINE, NOON, testPages } from '../../account/testing/pages.ts'
import { codeOf, unescaped } from '../testing/tools.ts'
import { fillIn } from './recipe-files.ts'
import { RECIPES } from './recipes.ts'

const { db, signIn, nobody } = await testPages()
const { id: PROPERTY } = await createProperty(db, { domain: MINE }, NOON)
await createProperty(db, { domain: 'other.example' }, NOON)
const owner = await signIn({ domains: [MINE] })
const code = collectRecipeCode()

const filesOf = ({ steps }: (typeof RECIPES)[number]) => steps.flatMap(({ files = [] }) => files)

test.each(RECIPES)('$id: a stranger gets the code, with what is to be replaced', async (recipe) => {
  const html = unescaped(await (await nobody.get(`/tools/orders/${recipe.id}`)).text())
  expect(html).toContain(recipe.proof.how)
  for (const { name } of filesOf(recipe)) {
    expect(codeOf(html, name).length, name).toBeGreaterThan(20)
    expect(codeOf(html, name)).not.toContain('prop_0123456789abcdefghij')
  }
  expect(html.includes('prop_YOUR_PROPERTY_ID')).toBe(filesOf(recipe).length > 0)
  expect(html).toContain('How to see that it works')
  expect(html).toContain('https://shop.example/?utm_source=chatgpt.com')
})

test.each(RECIPES)('$id: the owner of a property has it in the code', async (recipe) => {
  const answer = await owner.get(`/tools/orders/${recipe.id}`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const html = unescaped(await answer.text())
  expect(html.includes(PROPERTY)).toBe(filesOf(recipe).length > 0)
  expect(html).not.toMatch(/prop_YOUR|shop\.example|other\.example/)
  const names = { baseUrl: 'https://aisle.example', domain: MINE, id: PROPERTY }
  for (const { name, code: path } of filesOf(recipe)) {
    expect(codeOf(html, name), name).toBe(fillIn(code[path]!, names).trimEnd())
  }
})

test('the list leads to the code of the domain that it is asked for, and knows who is signed in', async () => {
  const both = await signIn({ domains: [MINE, 'other.example'] })
  for (const domain of [MINE, 'other.example']) {
    const list = await (await both.get(`/tools/orders?domain=${domain}`)).text()
    expect(list).toContain('Sign out')
    const recipe = /href="([^"]*\/tools\/orders\/html[^"]*)"/.exec(list)?.[1] ?? ''
    const html = await (await both.get(recipe)).text()
    expect(html).toContain(`The code has your property of ${domain} in it`)
    expect(html).toContain(`href="/properties?domain=${domain}"`)
  }
  const open = await (await nobody.get(`/tools/orders?domain=${MINE}`)).text()
  expect(open).toContain('href="/tools/orders/html"')
  expect(open).toContain('Sign in')
})

test('the property of another key is not shown, whatever is asked for', async () => {
  for (const query of [
    '?domain=other.example',
    `?domain=${encodeURIComponent('<b>')}`,
    '?id=<b>',
    '?id=not-a-property',
  ]) {
    const html = await (await owner.get(`/tools/orders/node${query}`)).text()
    expect(html).not.toMatch(/other\.example|<b>|not-a-property/)
  }
})

test('a platform without a recipe is not found', async () => {
  for (const name of ['nothing', '__proto__', '<b>']) {
    expect((await nobody.get(`/tools/orders/${encodeURIComponent(name)}`)).status).toBe(404)
  }
})

test('all code is shown somewhere, and none is missing', () => {
  const shown = RECIPES.flatMap(filesOf).map(({ code: path }) => path)
  expect([...new Set(shown)].toSorted()).toEqual(Object.keys(code).toSorted())
})

test.each(RECIPES)('$id says truthfully whether it was run', ({ id, proof, steps }) => {
  if (proof.is === 'untested') {
    expect(proof.how).toContain('We have not run it in a store')
    return
  }
  expect(existsSync(proof.file)).toBe(true)
  const tests = readFileSync(proof.file, 'utf8')
  expect(tests).toContain(`test('${proof.test}'`)
  // The test takes the recipe from the page, so it runs the very files that the page shows.
  if (steps.some(({ files }) => files)) expect(tests).toContain(`recipe('${id}')`)
  expect(steps.length).toBeGreaterThan(1)
})

const WOOCOMMERCE = 'server/connectors/woocommerce/aisle/includes/orders.php'
const PHP = Object.entries({ ...code, [WOOCOMMERCE]: readFileSync(WOOCOMMERCE, 'utf8') }).filter(
  ([, text]) => text.includes("'BHD'"),
)
test.each(PHP)('%s says when the order was made, as it may report it days later', (_, text) => {
  expect(text).toMatch(/'timestamp' => (gmdate\('c', |\$made)/)
})

// The tag keeps a visit for one tab and one host; Shopify's cart also belongs to its checkout.
test.each(RECIPES.filter((recipe) => recipe.id !== 'shopify' && filesOf(recipe).length > 0))(
  '$id says what another host needs',
  (recipe) => {
    expect(recipe.limits).toContain('on another host of your store')
    const script = filesOf(recipe).some(({ code: path }) => path === 'page/visit-cookie.html')
    expect(recipe.limits?.includes('in a second tab')).toBe(!script)
  },
)

test('shopify says which orders that are bought in an assistant are reported', () => {
  const { limits } = RECIPES.find(({ id }) => id === 'shopify') ?? {}
  expect(limits).toContain('bought in an assistant')
})

test('prestashop reports a cart that became several orders as one sale of their sum', () => {
  const text = code['prestashop/aisle.php']
  expect(text).toContain("'session_id' => $order->reference,")
  expect(text).toMatch(/Order::getByReference\(\$order->reference\)[^}]+total_paid_tax_incl/)
})

test.each(PHP)('%s counts with the decimals of ISO 4217', (_, text) => {
  const [none, three] = [...text.matchAll(/\[('[A-Z]{3}'[^\]]*)\]/g)].map(([, list = '']) =>
    list.match(/[A-Z]{3}/g),
  )
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const having = (digits: number) =>
    all.filter((each) => isCurrency(each) && exponentOf(each) === digits)
  expect(none?.toSorted()).toEqual(having(0))
  expect(three?.toSorted()).toEqual(having(3))
})

test('aisle-node is packed as npm installs it, the same each time', async () => {
  const packed = await packAisleNode()
  expect(await packAisleNode()).toEqual(packed)
  const files = new Map(
    parseTar(new Uint8Array(gunzipSync(packed))).map(({ name, text }) => [name, text]),
  )
  expect([...files.keys()].toSorted()).toEqual([
    'package/README.md',
    'package/index.d.ts',
    'package/index.js',
    'package/package.json',
  ])
  expect(JSON.parse(files.get('package/package.json')!)).toMatchObject({
    name: 'aisle-node',
    version: JSON.parse(readFileSync('package.json', 'utf8')).version,
  })
  const declared = [...files.get('package/index.d.ts')!.matchAll(/declare function (\w+)/g)]
  const script = `import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(files.get('package/index.js')!)}`)}).then((all) => process.stdout.write(Object.keys(all).join()))`
  const exported = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  expect(exported.split(',').toSorted()).toEqual(declared.map(([, name]) => name).toSorted())
})

test.each([
  ['aisle-node.tgz', 'application/gzip'],
  ['aisle-woocommerce.zip', 'application/zip'],
  ['aisle-shopify.zip', 'application/zip'],
  ['aisle-medusa.tgz', 'application/gzip'],
  ['aisle-vendure.tgz', 'application/gzip'],
])('%s is served', async (name, type) => {
  const answer = await nobody.get(`/${name}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe(type)
})
