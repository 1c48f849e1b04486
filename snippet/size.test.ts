import { expect, test } from 'vitest'
import { prepareSnippet } from '../server/attribution/snippet/asset.ts'
import { buildSnippet } from './build.ts'

test('attribution.js is at most 2.0 kB with brotli and 2.3 kB with gzip', async () => {
  const { code } = await buildSnippet()
  // As it is served.
  const { bodies } = await prepareSnippet(code)
  const [brotli, gzip] = [bodies.br.bytes.length, bodies.gzip.bytes.length]
  process.stdout.write(`attribution.js: ${code.length} B, ${brotli} B brotli, ${gzip} B gzip\n`)
  expect(brotli).toBeLessThanOrEqual(2000)
  expect(gzip).toBeLessThanOrEqual(2300)
})

test('it is one classic script in which nothing is left to fill in', async () => {
  const { code } = await buildSnippet()
  expect(code).not.toMatch(/PACKED|\bimport\b|\bexport\b|\beval\b|innerHTML|"use strict"/)
  // Throws a SyntaxError where it is none.
  new Function(code)
})
