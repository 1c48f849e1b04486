import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zip } from 'wxt'
import { builtForTests, silent } from './testing/build.ts'

const root = import.meta.dirname
const outDir = mkdtempSync(join(tmpdir(), 'aisle-extension-'))
const file = (path: string) => readFileSync(join(outDir, path))
const manifestOf = (built: string) => JSON.parse(file(`${built}/manifest.json`).toString())

const zips: Record<string, string[]> = {}

// Zipping builds it first.
beforeAll(async () => {
  for (const browser of ['chrome', 'firefox'] as const) {
    zips[browser] = await zip({ root, browser, manifestVersion: 3, outDir, logger: silent })
  }
})
afterAll(() => {
  rmSync(outDir, { recursive: true })
})

test.each([
  ['chrome-mv3', ['activeTab', 'scripting', 'sidePanel', 'storage']],
  ['firefox-mv3', ['activeTab', 'scripting', 'storage']],
])('%s asks for these permissions and no other', (built, permissions) => {
  const manifest = manifestOf(built)
  expect([...manifest.permissions].sort()).toEqual(permissions)
  for (const key of ['host_permissions', 'optional_permissions', 'optional_host_permissions']) {
    expect(manifest).not.toHaveProperty(key)
  }
  for (const key of ['content_scripts', 'web_accessible_resources', 'externally_connectable']) {
    expect(manifest).not.toHaveProperty(key)
  }
  expect(manifest.manifest_version).toBe(3)
})

test('only the build of the browser tests may read pages unasked, and only of .example', async () => {
  const manifest = JSON.parse(readFileSync(join(await builtForTests(), 'manifest.json'), 'utf8'))
  expect(manifest.host_permissions).toEqual(['https://*.example/*'])
})

test('Chromium has the panel and no popup, which would swallow the click', () => {
  const manifest = manifestOf('chrome-mv3')
  expect(manifest.side_panel).toEqual({ default_path: 'sidepanel.html' })
  expect(manifest.action).not.toHaveProperty('default_popup')
  expect(manifest).not.toHaveProperty('browser_specific_settings')
})

test('Firefox has the popup and the sidebar, and says what data may be sent', () => {
  const manifest = manifestOf('firefox-mv3')
  expect(manifest.action.default_popup).toBe('popup.html')
  expect(manifest.sidebar_action).toMatchObject({
    default_panel: 'sidepanel.html',
    open_at_install: false,
  })
  expect(manifest.browser_specific_settings.gecko.data_collection_permissions).toEqual({
    required: ['none'],
    optional: ['browsingActivity', 'authenticationInfo'],
  })
  expect(manifest.content_security_policy.extension_pages).not.toContain('upgrade-insecure')
})

test.each(['chrome-mv3', 'firefox-mv3'])('%s carries its icons', (built) => {
  const manifest = manifestOf(built)
  expect(Object.keys(manifest.icons)).toEqual(['16', '32', '48', '128'])
  for (const [size, path] of Object.entries<string>(manifest.icons)) {
    // Width and height are at fixed positions of a PNG.
    const png = file(`${built}/${path}`)
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([Number(size), Number(size)])
  }
})

test('the icons were drawn of this icon.svg', () => {
  const svg = readFileSync(join(root, 'icon/icon.svg'))
  const drawn = readFileSync(join(root, 'icon/icon.sha256'), 'utf8').trim()
  expect(hash('sha256', svg), 'run: npx node extension/icon/draw.ts').toBe(drawn)
})

const MAX_PANEL_BYTES = 195 * 1000

test('the panel weighs less than 195 kB over the wire', () => {
  const weigh = (names: readonly string[]) =>
    names
      .map((name) => gzipSync(file(`chrome-mv3/chunks/${name}`), { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0)
  const chunks = readdirSync(join(outDir, 'chrome-mv3/chunks')).filter((name) =>
    name.endsWith('.js'),
  )
  // Every rule, for the trends of a store, is loaded where these are shown.
  const [later, first] = [true, false].map((isLater) =>
    chunks.filter((name) => name.startsWith('store-trends') === isLater),
  )
  const bytes = weigh(first ?? [])
  process.stdout.write(`panel: ${(bytes / 1000).toFixed(1)} kB gzip, `)
  process.stdout.write(`trends: ${(weigh(later ?? []) / 1000).toFixed(1)} kB\n`)
  expect(later).toHaveLength(1)
  expect(bytes).toBeLessThan(MAX_PANEL_BYTES)
})

/** The names in a zip file: those of its central directory, each behind a header of 46 bytes. */
function namesIn(path: string): string[] {
  const names: string[] = []
  const bytes = readFileSync(path)
  for (let at = bytes.indexOf('PK\x01\x02'); at !== -1; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)))
  }
  return names
}

test.each([
  ['chrome', ['aisle-0.1.0-chrome.zip']],
  ['firefox', ['aisle-0.1.0-firefox.zip', 'aisle-0.1.0-sources.zip']],
] as const)('the zip of %s holds what was built, and only that', (browser, files) => {
  const paths = zips[browser] ?? []
  expect(paths.map((path) => basename(path))).toEqual(files)
  const [extension = '', sources] = paths
  const built = readdirSync(join(outDir, `${browser}-mv3`), { recursive: true, encoding: 'utf8' })
  const isFile = (name: string) => statSync(join(outDir, `${browser}-mv3`, name)).isFile()
  expect(namesIn(extension).sort()).toEqual(built.filter(isFile).sort())
  if (sources === undefined) return
  const names = namesIn(sources)
  expect(names).toEqual(
    expect.arrayContaining([
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'extension/wxt.config.ts',
      'extension/SOURCE_CODE_REVIEW.md',
      'shared/audit/checks/schema/rules.ts',
    ]),
  )
  expect(names.filter((name) => /\.(test|e2e)\.|node_modules|^server|\.output/.test(name))).toEqual(
    [],
  )
})

test('nothing is evaluated, and nothing is loaded from elsewhere', () => {
  const scripts = readdirSync(join(outDir, 'chrome-mv3'), { recursive: true, encoding: 'utf8' })
  for (const name of scripts.filter((each) => /\.(js|html)$/.test(each))) {
    const text = file(`chrome-mv3/${name}`).toString()
    expect(text, name).not.toMatch(/<script[^>]+src="https?:/)
    expect(text, name).not.toMatch(/\beval\(|import\("https?:/)
  }
})
