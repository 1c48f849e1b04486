import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namedAgent } from '../../../../shared/attribution/agents.ts'
import { collectCollectorCode } from '../../../build/collector-code.ts'
import { MINE, OTHER, testPages } from '../../account/testing/pages.ts'
import { fillIn } from '../orders/recipe-files.ts'
import { codeOf, unescaped } from '../testing/tools.ts'
import { COLLECTORS } from './collectors.ts'

const { signIn, nobody } = await testPages()
const owner = await signIn({ domains: [MINE] })
const code = collectCollectorCode()

const filesOf = ({ steps }: (typeof COLLECTORS)[number]) => steps.flatMap(({ files = [] }) => files)

test.each(COLLECTORS)(
  '$id: a stranger gets the code, with what is to be replaced',
  async (each) => {
    const html = unescaped(await (await nobody.get(`/tools/collectors/${each.id}`)).text())
    expect(html).toContain(each.proof.how)
    for (const { name } of filesOf(each))
      expect(codeOf(html, name).length, name).toBeGreaterThan(20)
    expect(html).toContain('Replace <code>shop.example</code>')
    expect(html).toContain('href="/help#key"')
  },
)

test.each(COLLECTORS)('$id: who is signed in has their domain in the code', async (each) => {
  const answer = await owner.get(`/tools/collectors/${each.id}?domain=${MINE}`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const html = unescaped(await answer.text())
  const names = { baseUrl: 'https://aisle.example', domain: MINE, id: '' }
  for (const { name, code: path } of filesOf(each)) {
    expect(codeOf(html, name), name).toBe(fillIn(code[path]!, names).trimEnd())
  }
  expect(html).toContain(`href="/keys?for=server&domain=${MINE}#new"`)
  expect(html).toContain(`href="/fetches?domain=${MINE}"`)
})

test('the list leads to the code of the domain that is asked for', async () => {
  const list = await (await owner.get(`/tools/collectors?domain=${MINE}`)).text()
  expect(list).toContain(`href="/tools/collectors/nginx?domain=${MINE}"`)
  expect(await (await nobody.get(`/tools/collectors?domain=${MINE}`)).text()).not.toContain(MINE)
})

test('no domain is shown that the key does not cover', async () => {
  for (const asked of [OTHER, '<b>', '']) {
    const path = `/tools/collectors/node?domain=${encodeURIComponent(asked)}`
    const html = await (await owner.get(path)).text()
    expect(html).toContain('domain: &#39;shop.example&#39;'.replaceAll('&#39;', "'"))
    if (asked !== '') expect(html).not.toContain(asked === '<b>' ? '<b>' : OTHER)
  }
})

test('what has no collector is not found', async () => {
  for (const name of ['nothing', '__proto__', '<b>']) {
    const answer = await nobody.get(`/tools/collectors/${encodeURIComponent(name)}`)
    expect(answer.status).toBe(404)
  }
})

test('all code is shown somewhere, in one piece, and none is missing', () => {
  const shown = COLLECTORS.flatMap(filesOf).map(({ code: path }) => path)
  expect([...new Set(shown)].toSorted()).toEqual(Object.keys(code).toSorted())
  for (const [path, text] of Object.entries(code)) {
    expect(text, path).not.toMatch(/\(AGENTS\)|\(APPS\)|from ["']\.|\.ts\b/)
  }
})

test('settings know the agents of the table, and nobody else', () => {
  for (const path of ['nginx/aisle.conf', 'caddy/Caddyfile']) {
    const [, pattern = ''] = /"(?:~\*|\(\?i\))(.*AI2Bot.*)"/.exec(code[path]!) ?? []
    const [, apps = ''] = /"~?(.*CFNetwork.*)"/.exec(code[path]!) ?? []
    const finds = (text: string) =>
      new RegExp(pattern, 'i').test(text) && !new RegExp(apps).test(text)
    for (const text of [
      ...['GPTBot', 'a (compatible; Claude-User/1.0)', 'GPTBotany', 'Chrome/142', ''],
      ...['ChatGPT/1.2025 (iOS 26.1; iPhone17,1)', 'ChatGPT-User/1.0 CFNetwork/3860 Darwin/25'],
    ]) {
      expect(finds(text), text).toBe(namedAgent(text) !== null)
    }
  }
})

test.each(COLLECTORS)('$id says truthfully whether it was run', ({ id, proof }) => {
  if (proof.is === 'untested') throw new Error('All are run.')
  expect(existsSync(proof.file)).toBe(true)
  const tests = readFileSync(proof.file, 'utf8')
  expect(tests).toContain(`'${proof.test}'`)
  // The tests run the very files that the page shows.
  const edges = readFileSync('server/pages/tools/collectors/testing/edges.ts', 'utf8')
  expect(tests + edges).toContain(`codeOf('${id}/`)
})

test('a recipe for orders leads to a key before there is a property', async () => {
  const html = await (await owner.get(`/tools/orders/woocommerce?domain=${MINE}`)).text()
  expect(html).toContain(`href="/keys?for=plugin&amp;domain=${MINE}#new"`)
  const list = await (await owner.get(`/tools/orders?domain=${MINE}`)).text()
  expect(list).toContain(`href="/tools/orders/html?domain=${MINE}"`)
})
