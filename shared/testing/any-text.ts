import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

const character = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count))

/**
 * Text of any characters, including rare ones. fast-check's own `binary` lists all 1.1 million of
 * them before it begins, a second for each use.
 */
export const anyText = (constraints: { maxLength?: number } = {}) =>
  fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }), character),
    ...constraints,
  })

/** What may be in a path, a query and a fragment as it is (RFC 3986, 3.3), or encoded. */
const urlText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@"),
    character.map(encodeURIComponent),
  ),
})

/** Empty, or segments that each follow a slash; instead of fast-check's own, see `anyText`. */
export const anyPath = () =>
  fc.array(urlText, { maxLength: 5 }).map((parts) => parts.map((part) => `/${part}`).join(''))

/** An address on the web, at times with a query or a fragment. */
export const anyUrl = () =>
  fc
    .tuple(
      fc.constantFrom('http', 'https'),
      fc.domain(),
      anyPath(),
      fc.option(urlText, { nil: undefined }),
      fc.option(urlText, { nil: undefined }),
    )
    .map(([scheme, host, path, query, fragment]) => {
      const after = [
        query === undefined ? '' : `?${query}`,
        fragment === undefined ? '' : `#${fragment}`,
      ]
      return `${scheme}://${host}${path}${after.join('')}`
    })
