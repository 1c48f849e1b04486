import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadSnippet, prepareSnippet, snippetTags } from './asset.ts'

const CODE = 'void "ünïcode";'.repeat(100)

test('every body is the code, under a tag of its own', async () => {
  const { bodies, integrity } = await prepareSnippet(CODE)
  expect(Buffer.from(bodies.identity.bytes).toString()).toBe(CODE)
  expect(brotliDecompressSync(bodies.br.bytes).toString()).toBe(CODE)
  expect(gunzipSync(bodies.gzip.bytes).toString()).toBe(CODE)
  expect(new Set(Object.values(bodies).map(({ etag }) => etag)).size).toBe(3)
  expect(integrity).toBe(`sha384-${hash('sha384', CODE, 'base64')}`)
})

test('the version is that of the code: the same again, another for another', async () => {
  const { version, bodies } = await prepareSnippet(CODE)
  expect(await prepareSnippet(CODE)).toEqual({ ...(await prepareSnippet(CODE)), version, bodies })
  expect((await prepareSnippet(`${CODE} `)).version).not.toBe(version)
})

test('a file that is missing says how to make it', async () => {
  await expect(loadSnippet(new URL('./nowhere.js', import.meta.url))).rejects.toThrow(
    /nowhere\.js cannot be read \(ENOENT\)\. Run "npm run bundle"/,
  )
})

test('tags are HTML, whatever the address of the service', () => {
  const pin = { version: 'abc', integrity: 'sha384-x' }
  expect(snippetTags(pin, 'https://aisle.example/a&"b', 'prop_1')).toEqual({
    tag: '<script async src="https://aisle.example/a&amp;&quot;b/attribution.js?id=prop_1"></script>',
    pinned_tag:
      '<script async src="https://aisle.example/a&amp;&quot;b/abc/attribution.js?id=prop_1" integrity="sha384-x" crossorigin="anonymous"></script>',
  })
})
