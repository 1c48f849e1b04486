import { expect, test } from 'vitest'
import { prepareSnippet } from '../server/attribution/snippet/asset.ts'
import { buildSnippet } from './build.ts'

/** Bytes as served. */
const LIMITS = { br: 2200, gzip: 2450 }

/** Of each so many stay free, so that a new surface is one row. */
const FREE = 80

test.each(['br', 'gzip'] as const)(
  'attribution.js is within its limit of bytes by %s',
  async (coding) => {
    const { code } = await buildSnippet()
    const { bodies } = await prepareSnippet(code)
    const { length } = bodies[coding].bytes
    const left = LIMITS[coding] - length
    const where = `attribution.js: ${length} B by ${coding} of ${LIMITS[coding]} (${code.length} B plain)`
    process.stdout.write(`${where}, ${left} B left\n`)
    expect(
      left,
      `${where} leaves ${left} B of the ${FREE} that stay free. Make its code smaller, not the table.`,
    ).toBeGreaterThanOrEqual(FREE)
  },
)

test('it is one classic script in which nothing is left to fill in', async () => {
  const { code } = await buildSnippet()
  expect(code).not.toMatch(/PACKED|\bimport\b|\bexport\b|\beval\b|innerHTML|"use strict"/)
  // Throws a SyntaxError where it is none.
  new Function(code)
})
