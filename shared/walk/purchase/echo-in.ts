/** What JSON-RPC and MCP put around a payload. */
const WRAPPED = /^result\.(?:structuredContent\.)?/

/** The place of a secret in an answer, as a dotted path; null where it is not. */
export function echoIn(secret: string, value: unknown, path = ''): string | null {
  if (typeof value === 'string') {
    // A tool may say all of it as a text.
    const isText = value.startsWith('{') && value.includes(JSON.stringify(secret))
    return value === secret || isText ? path.replace(WRAPPED, '') : null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const place = echoIn(secret, inner, at)
    if (place !== null) return place
  }
  return null
}
