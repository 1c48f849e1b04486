import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Failure, unreachable } from './failure.ts'
import { findTestHost, type TestHosts } from './test-hosts.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Every address of a name. An empty list, or a rejection, means that it has none. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>

/**
 * Names that belong to a machine, a local network or an overlay (RFC 6761, 6762, 7686, 8375, 9476
 * and ICANN's `internal`). `example`, `test` and `invalid` simply have no address.
 */
const LOCAL_SUFFIXES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|arpa|onion|alt)$/

/** A label of a host name after IDN, underscores included: DNS allows them (RFC 2181, 11). */
const LABEL = /^[a-z0-9_-]{1,63}$/

/**
 * The address as parsed once, if a request may go there: http or https, no user, port 80 or 443, a
 * name of two labels or more, no IP literal. A test host may have any port. Throws a Failure, with
 * `why` where only we do not go there.
 */
export function checkUrl(
  text: string,
  testHosts: TestHosts = [],
  why: 'unreachable' | 'redirect' = 'unreachable',
): URL {
  const url = URL.parse(text)
  if (!url) throw new Failure(why, 'the address is not a valid URL; write https://host/path')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Failure(why, `${url.protocol} is not supported; use an https URL`)
  }
  if (url.username || url.password) {
    throw new Failure(why, 'the URL contains a user name or password; remove it')
  }
  if (findTestHost(testHosts, url.hostname)) return url
  if (url.port !== '' && url.port !== '80' && url.port !== '443') {
    throw new Failure(why, `port ${url.port} is not supported; serve it on port 443`)
  }
  if (!isPublicName(url.hostname)) throw unreachable()
  return url
}

/**
 * Whether a name may belong to the public internet: no IP literal, at least two labels, no suffix
 * of local networks.
 */
function isPublicName(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  if (hostname.startsWith('[') || isIP(host) !== 0 || host.length > 253) return false
  const labels = host.split('.')
  return (
    labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !LOCAL_SUFFIXES.test(host)
  )
}

/** The only IPv6 range for global unicast (https://www.iana.org/assignments/ipv6-address-space). */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3')

/**
 * Not public hosts, although they look like global unicast addresses: cloud metadata, transition
 * mechanisms that carry an IPv4 address, documentation (IANA special-purpose registries,
 * https://www.iana.org/assignments/iana-ipv6-special-registry).
 */
const REFUSED = [
  '168.63.129.16/32',
  '192.88.99.0/24',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range))

/** ISATAP carries an IPv4 address of a local network under any prefix (RFC 5214, 6.1). */
const isIsatap = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (!('parts' in address)) return false
  const [, , , , first = 0, second] = address.parts
  // The bit that tells whether the IPv4 address is a global one is left aside.
  return (first & ~0x0200) === 0 && second === 0x5efe
}

/**
 * Whether an address belongs to a host of the public internet (UCP overview, Fetching: reject
 * special-use addresses after DNS resolution). False for anything unreadable. IPv4 in IPv6 notation
 * is judged as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (text.includes('%') || isIP(text) === 0) return false
  const address = ipaddr.process(text)
  return (
    address.range() === 'unicast' &&
    (address.kind() === 'ipv4' || within(address, GLOBAL_V6)) &&
    !isIsatap(address) &&
    !REFUSED.some((range) => within(address, range))
  )
}

/** Ranges of the other family never match; ipaddr.js would throw. */
function within(address: ipaddr.IPv4 | ipaddr.IPv6, range: [ipaddr.IPv4 | ipaddr.IPv6, number]) {
  return address.kind() === range[0].kind() && address.match(range)
}

/**
 * The addresses to dial, all of them tested. Throws a Failure when any is not
 * public: a name with a public and a private address is an attempt to slip through.
 */
export async function resolvePublic(host: string, resolve: Resolve): Promise<ResolvedAddress[]> {
  if (!isPublicName(host)) throw unreachable()
  const found = await resolve(host).catch(() => [])
  if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address))) {
    throw unreachable()
  }
  // Two of each family: a name with a thousand addresses must not become a thousand connections.
  const of = (family: number) => found.filter((each) => each.family === family).slice(0, 2)
  return [...of(4), ...of(6)]
}

/**
 * All A and AAAA records, asked of the name servers: the hosts file may name machines of our own
 * network, and getaddrinfo runs in libuv's pool, where four slow names would block all file access
 * (https://nodejs.org/api/dns.html#implementation-considerations).
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return [...toAddresses(v4, 4), ...toAddresses(v6, 6)]
}

/** A name often has records of one family only: the other's failure is not a fault. */
function toAddresses(answer: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
