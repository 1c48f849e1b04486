import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import { regexes } from 'zod'

type Ip = ReturnType<typeof ipaddr.parse>

/** The proxies whose X-Forwarded-For header is trusted. */
export type TrustedProxies = readonly ReturnType<typeof ipaddr.parseCIDR>[]

/** Names for the ranges of loopback and of private networks (RFC 1918, RFC 4193). */
const NAMED = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

/**
 * Reads TRUST_PROXY, such as `loopback, 10.1.0.0/16` or with spaces. The error says how to fix it.
 */
export const parseTrustProxy = (text: string | undefined): TrustedProxies =>
  (text ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .flatMap((entry) => (NAMED.get(entry) ?? [entry]).map(parseRange))

/**
 * One address or range; throws for text that is neither, and for a range that holds every address.
 */
function parseRange(entry: string): TrustedProxies[number] {
  const alone = parseAddress(entry)
  if (alone) return [alone, alone.kind() === 'ipv4' ? 32 : 128]
  const range =
    ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) || ipaddr.IPv6.isValidCIDR(entry)
      ? ipaddr.parseCIDR(entry)
      : null
  if (range === null) {
    throw new Error(
      `TRUST_PROXY: "${entry}" is not a valid address or range. Give addresses or ranges such as 10.1.2.3 or 10.0.0.0/8, or the names loopback and private.`,
    )
  }
  if (range[1] > 0) return range
  throw new Error(
    `TRUST_PROXY: "${entry}" trusts every client, so a client could claim any address. Give the address of the proxy.`,
  )
}

/**
 * The client's address: the other end of the socket or, if that is a trusted proxy, the right-most
 * address of X-Forwarded-For that is not a trusted proxy. Null without a socket.
 */
export function clientAddress(c: Context, trusted: TrustedProxies): string | null {
  const socket = socketAddress(c)
  if (socket === null) return null
  let nearest = socket
  const hops = c.req.header('X-Forwarded-For')?.split(',') ?? []
  while (isTrusted(nearest, trusted)) {
    const next = parseAddress(withoutPort(hops.pop()?.trim() ?? ''))
    // Entries to the left of an unreadable one are not trusted: the client may have written them.
    if (next === null) break
    nearest = next
  }
  return nearest.toString()
}

/** The other ends of sockets: each is read once for all requests that come over it. */
const otherEnds = new WeakMap<object, Ip | null>()

/** `app.request()` without an environment has no connection. */
function socketAddress(c: Context): Ip | null {
  if (!c.env || !('incoming' in c.env)) return null
  const { socket } = c.env.incoming
  const known = otherEnds.get(socket)
  if (known !== undefined) return known
  const read = parseAddress(getConnInfo(c).remote.address ?? '')
  otherEnds.set(socket, read)
  return read
}

/** Families are compared first: ipaddr.js throws for an address and a range of different ones. */
const isTrusted = (address: Ip, trusted: TrustedProxies): boolean =>
  trusted.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))

/** Reads an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) as IPv4. Null if it is not an address. */
function parseAddress(text: string): Ip | null {
  // The parser of ipaddr.js tries each way to write one, twice.
  if (regexes.ipv4.test(text)) return new ipaddr.IPv4(text.split('.').map(Number))
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null
}

/** Some proxies write `192.0.2.1:50123` or `[2001:db8::1]:50123`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop

/** What rate limits count: for IPv6 the /64, as a client can use all addresses in it (RFC 8981). */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown'
  if (!ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}

/** The network that an address belongs to: its /24, or its /48 with IPv6. */
export function blockOf(address: string | null): string {
  if (address === null) return 'unknown'
  if (!ipaddr.IPv6.isValid(address)) return address.split('.').slice(0, 3).join('.')
  return ipaddr.IPv6.parse(address).parts.slice(0, 3).join(':')
}

const PRIVATE = new Set(['private', 'loopback', 'uniqueLocal', 'linkLocal'])

/** Whether it is of this machine or of a private network, so that it is a proxy's or a test's. */
export const isPrivateAddress = (address: string | null): boolean =>
  address !== null && PRIVATE.has(ipaddr.parse(address).range())
