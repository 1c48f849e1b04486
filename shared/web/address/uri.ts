/**
 * The maximum of characters in an address (https://www.sitemaps.org/protocol.html: fewer than
 * 2,048).
 */
export const MAX_ADDRESS = 2_048

/**
 * The grammar of RFC 3986, appendix A. `URL.parse` is not a substitute: it repairs what it reads.
 */
const CHAR = "[a-z0-9\\-._~!$&'()*+,;=]|%[0-9a-f]{2}"

/** RFC 3986, 3.3 and 3.2: a path segment, a host and an authority. */
const SEGMENT = `(?:${CHAR}|[:@])`
const HOST = `(?:\\[[0-9a-f:.]+\\]|(?:${CHAR})*)`
const AUTHORITY = `(?:(?:${CHAR}|:)*@)?${HOST}(?::\\d*)?`
// Common JSON Schema validators accept a single slash before the authority as well.
const PATH = `(?://?${AUTHORITY}(?:/${SEGMENT}*)*|/?${SEGMENT}+(?:/${SEGMENT}*)*|/)`
const TAIL = `(?:${SEGMENT}|[/?])*`
const URI = new RegExp(`^[a-z][a-z0-9+.-]*:${PATH}(?:\\?${TAIL})?(?:#${TAIL})?$`, 'i')

// Unspecified: the longest URI has 8,000 characters. A longer one could overflow the stack of the
// pattern.
const MAX_LENGTH = 8000

/**
 * Whether the text is a URI with its scheme, as RFC 3986 writes it: what JSON Schema means by
 * `format: uri`. Characters outside of ASCII must be percent-encoded.
 */
export const isUri = (text: string): boolean => text.length <= MAX_LENGTH && URI.test(text)

/**
 * A path without the slashes at its end. Not a pattern: `/\/+$/` takes quadratic time in a run of
 * slashes that something follows.
 */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** What may stand before the host: up to the last `@`, as `new URL` reads it. */
const USER = /[^ /?#"'<>\\]{1,300}@/.source

/** With a scheme, any number of slashes either way; then after two slashes, or with a password. */
const ADDRESSED = new RegExp(`((?:https?|wss?|ftp):[\\\\/]{0,8})${USER}`, 'gi')
const SCHEMELESS = new RegExp(`(^|[\\s"'(=])(//)${USER}`, 'g')
const BARE = /(^|[\s"'(=])([^\s/?#@:"'<>\\]{1,100}):[^\s/?#"'<>\\]{1,300}@/g

/**
 * A text whose addresses have lost the name and the password before their host, as in
 * `https://…@host`: findings, errors and logs are read by others. Every quantifier has a bound, so
 * that it is linear in the text.
 */
export const withoutPassword = (text: string): string =>
  text
    .replace(ADDRESSED, '$1…@')
    .replace(SCHEMELESS, '$1$2…@')
    .replace(BARE, (_, before: string, user: string) =>
      user.toLowerCase() === 'mailto' ? _ : `${before}${user}:…@`,
    )
