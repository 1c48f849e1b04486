import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

/** The content codings (RFC 9110, 8.4.1) that bodies are kept in, the smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** What the client likes best (RFC 9110, 12.5.3); of what it likes equally, the smallest. */
export const codingOf = (c: Context): Coding => {
  const found = accepts(c, {
    header: 'Accept-Encoding',
    supports: [...CODINGS],
    default: 'identity',
    match: (accepted) => {
      const likes = new Map(accepted.map(({ type, q }) => [type.toLowerCase(), q]))
      // A coding that is not listed is not acceptable, except for identity.
      const q = (coding: Coding) =>
        likes.get(coding) ?? likes.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
      const [best = 'identity'] = CODINGS.filter((coding) => q(coding) > 0).toSorted(
        (a, b) => q(b) - q(a),
      )
      return best
    },
  })
  return CODINGS.find((coding) => coding === found) ?? 'identity'
}

/**
 * The body in a coding: compressed when that is first asked for, and kept. `brotliQuality` is from
 * 0 to 11, the best one, which takes seconds for a megabyte.
 */
export function compressOnce(
  bytes: Uint8Array,
  brotliQuality = constants.BROTLI_MAX_QUALITY,
): (coding: Coding) => Promise<Uint8Array<ArrayBuffer>> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  const make: Record<Coding, () => Promise<Uint8Array>> = {
    identity: async () => bytes,
    gzip: () => promisify(gzip)(bytes, { level: 9 }),
    br: () => promisify(brotliCompress)(bytes, { params }),
  }
  const made = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>()
  return (coding) => {
    const known = made.get(coding)
    if (known !== undefined) return known
    // A copy: Node's own buffer may be a part of a larger one.
    const fresh = make[coding]().then((body) => new Uint8Array(body))
    made.set(coding, fresh)
    return fresh
  }
}
