import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

const character = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count))

/**
 * Text of any characters, those that nobody types included. fast-check's own `binary` lists all
 * 1.1 million of them before it begins, a second for each place that asks for it.
 */
export const anyText = (constraints: { maxLength?: number } = {}) =>
  fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }), character),
    ...constraints,
  })
