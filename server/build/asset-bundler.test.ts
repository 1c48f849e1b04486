import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildAssets } from './asset-bundler.ts'

const built = await buildAssets()
const brotli = (name: string) => brotliCompressSync(built.get(name) ?? '').length

test('every asset is built, and is small', () => {
  expect([...built.keys()].toSorted()).toEqual([
    'copy.js',
    'favicon.svg',
    'manifest.js',
    'properties.js',
    'run.js',
    'schema.js',
    'style.css',
    'validate.js',
    'walk.js',
  ])
  expect(brotli('copy.js')).toBeLessThan(1000)
  expect(brotli('style.css')).toBeLessThan(12_000)
  for (const tool of ['manifest.js', 'schema.js', 'validate.js']) {
    expect(brotli(tool)).toBeLessThan(60_000)
  }
})

test('nothing of the style or the scripts is asked of another host', () => {
  const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
  expect(decode(built.get('style.css'))).not.toMatch(/url\(|@import/)
  for (const [name, bytes] of built) {
    if (name.endsWith('.js')) expect(decode(bytes)).not.toMatch(/\beval\(|new Function\(/)
  }
})
