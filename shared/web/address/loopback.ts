/**
 * Whether only this machine reaches the address (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291,
 * 2.5.3).
 */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}
