/**
 * A fixed UUID for a text (RFC 9562, version 8). Official protocols want a `Request-Id` for each
 * request; one made from the call keeps walks repeatable.
 */
export function requestIdOf(text: string): string {
  const hex = [0, 1, 2, 3]
    .map((seed) => mix(`${seed}${text}`).toString(16).padStart(8, '0'))
    .join('')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b11) | 0b1000).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ].join('-')
}

/** FNV-1a over UTF-16 with MurmurHash3's finish: for distribution, not for secrecy. */
function mix(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
