import { expect, test } from 'vitest'
import { prepareSnippet } from '../server/attribution/snippet/asset.ts'
import { SURFACES } from '../shared/attribution/surfaces.ts'
import { buildSnippet } from './build.ts'

/** Bytes as served. */
const LIMITS = { br: 2200, gzip: 2450 }

/**
 * The same without one row of the table of surfaces. The space below the limits is for rows, so
 * that a new surface is only one row: 46 B are left by Brotli and 58 by gzip, with 48 surfaces.
 * Shorter code lowers these limits.
 */
const CODE = { br: 1774, gzip: 1996 }

const sizeOf = async (surfaces: typeof SURFACES, coding: 'br' | 'gzip'): Promise<number> => {
  const { code } = await buildSnippet(surfaces)
  return (await prepareSnippet(code)).bodies[coding].bytes.length
}

test.each(['br', 'gzip'] as const)(
  'attribution.js is within its limit of bytes by %s',
  async (coding) => {
    const size = await sizeOf(SURFACES, coding)
    const left = LIMITS[coding] - size
    const where = `attribution.js: ${size} B by ${coding} of ${LIMITS[coding]}, ${left} B left`
    process.stdout.write(`${where}\n`)
    expect(left, `${where} for more surfaces. Make its code smaller.`).toBeGreaterThanOrEqual(0)
    const code = await sizeOf(SURFACES.slice(0, 1), coding)
    expect(
      code,
      `${where}. Its code has grown to ${code} B, into the room of new surfaces. Make it smaller.`,
    ).toBeLessThanOrEqual(CODE[coding])
  },
)

test('it is one classic script in which nothing is left to fill in', async () => {
  const { code } = await buildSnippet()
  expect(code).not.toMatch(/PACKED|\bimport\b|\bexport\b|\beval\b|innerHTML|"use strict"/)
  // Throws a SyntaxError if it is invalid.
  new Function(code)
})
