import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { expect, test } from 'vitest'
import { packMedusa, packVendure } from './connector-packages.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const filesOf = (packed: Uint8Array) =>
  new Map(parseTar(new Uint8Array(gunzipSync(packed))).map(({ name, text = '' }) => [name, text]))

const MODULE = 'package/.medusa/server/src/modules/aisle'

test.each([
  ['aisle-medusa', packMedusa, `${MODULE}/index.js`],
  ['aisle-vendure', packVendure, 'package/index.js'],
])('%s is packed the same each time, with the version of the service', async (name, pack, main) => {
  const packed = await pack()
  expect(await pack()).toEqual(packed)
  const files = filesOf(packed)
  const { files: listed, ...said } = JSON.parse(files.get('package/package.json') ?? '')
  expect(said).toMatchObject({ name, version })
  for (const file of files.keys()) {
    const path = file.replace('package/', '')
    expect(path === 'package.json' || listed.some((each: string) => path.startsWith(each))).toBe(
      true,
    )
  }
  // What it stands on is inside, and the platform is the shop's own.
  const required = [...(files.get(main) ?? '').matchAll(/require\("([^"]+)"\)/g)]
  for (const [, module = ''] of required) {
    expect(module).toMatch(/^(@medusajs\/framework\/|@vendure\/core$|typeorm$|\.\/models\/)/)
  }
  expect(files.get(main)).toContain('/api/report')
  expect(files.get('package/README.md')).toContain(`${name}.tgz`)
})

test('the table of the Medusa plugin is defined once, and the module loads it from there', async () => {
  const files = filesOf(await packMedusa())
  const defining = [...files].filter(([, text]) => text.includes('define("aisle_report"'))
  expect(defining.map(([name]) => name)).toEqual([`${MODULE}/models/report.js`])
  expect(files.get(`${MODULE}/index.js`)).toContain('require("./models/report.js")')
})
