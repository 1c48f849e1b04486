import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildManifest } from '../../shared/manifest/manifest.ts'
import { inspectAny } from '../../shared/manifest/ucp/profile.ts'
import { PROFILES } from '../../shared/manifest/ucp/testing/profiles.ts'
import { isRecord } from '../../shared/web/json/json.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import { readConfig } from '../config.ts'
import { judgePasted } from '../pages/tools/validate/form.ts'
import { ValidateForm } from '../pages/tools/validate/ValidateForm.tsx'
import { onLoopback } from '../testing/on-loopback.ts'
import { painter } from './terminal/paint.ts'
import { readTerminal } from './testing/read-terminal.ts'
import { formatValidation, validateCommand } from './validate.ts'

const MANIFEST = buildManifest(
  {
    domain: 'shop.example',
    catalog_endpoint: 'https://shop.example/products',
    checkout_endpoint: 'https://shop.example/checkout',
    shipping_endpoint: 'https://shop.example/shipping',
    orders_endpoint: 'https://shop.example/orders',
  },
  new Date(0),
)

const WHOLE: Record<string, unknown> = { ...PROFILES, '1.0': MANIFEST }

/** Possible replacements for any value. */
const VALUES: unknown[] = [
  undefined,
  null,
  {},
  [],
  [{}],
  'x',
  '',
  7,
  true,
  'http://shop.example/ucp',
  '2026-04-08',
  '2031-01-01',
]

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  const keys = Array.isArray(value) ? [...value.keys()] : isRecord(value) ? Object.keys(value) : []
  return [
    ...(path.length > 0 ? [path] : []),
    ...keys.flatMap((key) => pathsOf((value as Record<string, unknown>)[key], [...path, key])),
  ]
}

function changed(value: unknown, [key, ...rest]: Path, change: unknown): unknown {
  if (key === undefined) return change
  if (Array.isArray(value)) {
    return value.map((each, index) => (index === key ? changed(each, rest, change) : each))
  }
  const object = value as Record<string, unknown>
  return { ...object, [key]: changed(object[key], rest, change) }
}

/** Members that a valid document does not have. */
const EXTRAS = [
  { version: '1.0' },
  { keys: [{ kid: 'a', kty: 'EC', d: 'AA' }] },
  { signing_keys: [{ kid: 'a', kty: 'EC', d: 'AA' }] },
]

/** The document, and each that differs from it in one value. */
const variantsOf = (whole: unknown): unknown[] =>
  [
    whole,
    ...EXTRAS.map((extra) => ({ ...(whole as object), ...extra })),
    ...pathsOf(whole).flatMap((path) => VALUES.map((value) => changed(whole, path, value))),
  ].map((variant) => JSON.parse(JSON.stringify(variant)))

describe.each(Object.entries(WHOLE))(
  'of %s, and of all that differ from it in one value',
  (_, whole) => {
    const variants = variantsOf(whole)

    test('the validator calls none both invalid and shoppable', () => {
      const seen = new Set<string>()
      for (const variant of variants) {
        const { errors, shoppable, shoppable_reason } = inspectAny(variant)
        seen.add(`${errors.length === 0} ${shoppable}`)
        if (errors.length === 0 || !shoppable) continue
        expect.fail(`${shoppable_reason} But ${errors[0]?.field}: ${errors[0]?.message}`)
      }
      // The two differ: a valid profile may offer nothing.
      expect([...seen].sort()).toEqual(['false false', 'true false', 'true true'])
    })

    test('the API says as the validator does', () => {
      for (const variant of variants) {
        const { valid, shoppable } = validateDocument(variant)
        expect(shoppable && !valid).toBe(false)
      }
    })

    test('neither the page nor the command line says both', () => {
      const plain = painter(false)
      for (const variant of variants.filter((_variant, index) => index % 5 === 0)) {
        const validation = validateDocument(variant)
        const { valid, shoppable, shoppable_reason } = validation
        const text = String(formatValidation('file', validation, plain))
        expect(text).toContain(valid ? '   valid, ' : '   invalid, ')
        expect(text).toContain(
          `  ${shoppable ? 'Shoppable' : 'Not shoppable'}: ${shoppable_reason}`,
        )
        const values = { url: '', manifest: JSON.stringify(variant) }
        const page = renderToString(h(ValidateForm, { state: judgePasted(values) }))
        expect(page.includes('The manifest is valid')).toBe(valid)
        expect(page.includes('Agents can start a purchase from it: ')).toBe(shoppable)
        expect(page.includes('Agents cannot buy: ')).toBe(!shoppable)
      }
    })
  },
)

const BROKEN = '{\n "version": "1.0",\n "domain": ,\n}'
const JSON_TYPE = { 'content-type': 'application/json' }

describe('exit codes', async () => {
  const store = await onLoopback((request, response) => {
    if (request.url === '/none') return response.writeHead(404).end('No.')
    if (request.url === '/broken') return response.writeHead(200, JSON_TYPE).end(BROKEN)
    if (request.url === '/empty') return response.writeHead(200, JSON_TYPE).end()
    if (request.url === '/away') return response.writeHead(302, { location: '/away' }).end()
    return response.writeHead(200, JSON_TYPE).end(JSON.stringify(MANIFEST))
  })
  const config = readConfig({
    TEST_HOSTS: `shop.example=${store.origin},gone.example=http://127.0.0.1:1`,
  })
  const run = (source: string, format: string) => {
    const { terminal, read } = readTerminal()
    const runner = { summary: undefined, output: undefined }
    const deps = { config, runner, now: () => new Date(0) }
    return validateCommand(source, { format }, deps, terminal).then((code) => ({
      code,
      said: read(),
    }))
  }
  afterAll(store.close)

  test.each([
    ['https://shop.example/none', 1, 'answered 404'],
    ['https://shop.example/away', 1, 'redirect'],
    ['https://gone.example/ucp', 2, '"code": "domain_unreachable"'],
    ['https://gone.example:x/ucp', 2, 'is not a valid URL. Write one such as'],
    ['https://', 2, 'is not a valid URL. Write one such as'],
    ['/nowhere/ucp.json', 2, 'does not exist'],
    ['ucp.json', 2, 'ucp.json does not exist'],
    ['shop.example', 2, 'write its address, such as https://shop.example/.well-known/ucp.'],
    ['shop.example/ucp', 2, 'write its address, such as https://shop.example/.well-known/ucp.'],
  ])('%s: %d', async (source, code, says) => {
    const ran = await run(source, 'json')
    expect(ran.code).toBe(code)
    expect(ran.said).toContain(says)
    if (code === 2) await expect(run(source, 'text')).rejects.toThrow()
  })

  test.each([
    ['broken', BROKEN, 3],
    ['empty', '', 1],
  ])(
    'a file that is not JSON is invalid in each format, as by URL: %s',
    async (name, text, line) => {
      const folder = await mkdtemp(join(tmpdir(), 'aisle-not-json-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const file = join(folder, 'ucp.json')
      await writeFile(file, text)
      const [byUrl, ofFile] = await Promise.all([
        run(`https://shop.example/${name}`, 'json'),
        run(file, 'json'),
      ])
      const { errors } = JSON.parse(byUrl.said)
      expect(errors).toMatchObject([{ field: 'manifest_url', code: 'not_json' }])
      expect(JSON.parse(ofFile.said)).toMatchObject({ valid: false, dialect: 'unknown', errors })
      for (const format of ['text', 'json', 'markdown', 'junit', 'sarif', 'github']) {
        const { code, said } = await run(file, format)
        expect(code).toBe(1)
        expect(said).toContain('It cannot be read: ')
      }
      expect((await run(file, 'github')).said).toMatch(
        new RegExp(`^::error [^\\n]*line=${line}\\b`, 'm'),
      )
    },
  )
})

test('each error of a file is told at the line of its member', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-lines-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'ucp.json')
  const text = '{\n "version": "1.0",\n "domain": 5,\n "capabilities": {\n  "checkout": 7\n }\n}\n'
  await writeFile(file, text)
  const { terminal, read } = readTerminal()
  const deps = {
    config: readConfig({}),
    runner: { summary: undefined, output: undefined },
    now: () => new Date(0),
  }
  await validateCommand(file, { format: 'sarif' }, deps, terminal)
  const { results } = JSON.parse(read()).runs[0]
  const lines = results.map(
    (each: { locations: { physicalLocation: { region: { startLine: number } } }[] }) =>
      each.locations[0]!.physicalLocation.region.startLine,
  )
  expect(lines).toEqual(expect.arrayContaining([3, 5]))
  await validateCommand(file, { format: 'github' }, deps, terminal)
  expect(read()).toMatch(/^::error [^\n]*line=3/m)
})
