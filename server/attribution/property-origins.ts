import ipaddr from 'ipaddr.js'
import { getDomain } from 'tldts'
import * as z from 'zod'
import { localShopPort } from '../../shared/web/address/local-shop.ts'

/** A star as the whole first label, after the scheme. */
const WILDCARD = /^(https?:\/\/)\*\./i

/** Names that never lead to the public internet (RFC 6761). */
const TEST_NAME = /(^|\.)(localhost|test|example|invalid)$/

/**
 * An origin that may report for a property; `https://*.shop.example` is every subdomain. Written in
 * its one form: lower case, punycode, no default port, no slash at the end.
 */
export const AllowedOrigin = z.string().transform((text, context) => {
  const wildcard = WILDCARD.test(text)
  const url = URL.parse(text.replace(WILDCARD, '$1'))
  const problem = url === null ? 'This is not a valid origin.' : problemOf(url, text, wildcard)
  if (url !== null && problem === null) {
    return wildcard ? url.origin.replace('://', '://*.') : url.origin
  }
  context.addIssue({
    code: 'custom',
    message: `${problem} Send one such as https://shop.example or https://*.shop.example.`,
  })
  return z.NEVER
})

/**
 * Why an origin cannot be allowed, in a sentence, or null. A wildcard directly under a public
 * suffix would let any customer of a hosting platform report.
 */
function problemOf(url: URL, text: string, wildcard: boolean): string | null {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url.hostname))) {
    return 'An origin starts with https:// (http:// only for loopback and test names).'
  }
  if (!/^[a-z]+:\/\/[^/?#@\s]+\/?$/i.test(text)) {
    return 'An origin has no path, query or user.'
  }
  if (url.hostname.includes('*')) return 'A star is allowed only as the whole first label.'
  if (wildcard && getDomain(url.hostname, { allowPrivateDomains: true }) === null) {
    return `Anyone can get a name under ${url.hostname}.`
  }
  return null
}

/** Loopback addresses and test names: there, http is allowed for development. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(host)) return TEST_NAME.test(host)
  return ipaddr.process(host).range() === 'loopback'
}

/** Where TEST_HOSTS sends a name, and the name or the star by which it does. */
export interface Here {
  pattern: string
  origin: string
}

/**
 * The store itself and all that lies under it, over https. One on this machine is opened over http:
 * `here` or a local shop's name has its port. The first is where its owner finds it; what serves a
 * star of names goes by them.
 */
export function defaultOrigins(domain: string, here: Here | null = null): string[] {
  const bare = domain.replace(/^www\./, '')
  const own = [`https://${bare}`, `https://*.${bare}`]
  const port = localShopPort(domain) ?? (here === null ? null : new URL(here.origin).port || 80)
  if (port === null) return own
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`]
  if (here !== null && isLocal(bare)) hosts.push(`${bare}:${port}`, bare)
  const local = hosts.map((host) => new URL(`http://${host}`).origin)
  if (here === null) return local
  return here.pattern.startsWith('*') ? [...own, ...local] : [...local, ...own]
}

/** What a request says of the page that it comes from. */
interface Asking {
  origin: string | undefined
  referer: string | undefined
}

/**
 * The origin that a request comes from; null without a valid one. Browsers send Origin with every
 * POST (Fetch standard); Referer is used if a client sends none, but not if Origin is `null`.
 */
export function askingOrigin({ origin, referer }: Asking): string | null {
  const url = URL.parse(origin ?? referer ?? '')
  return url === null || (origin !== undefined && origin !== url.origin) ? null : url.origin
}

/** Whether an origin is one of those of a property. */
export const isAllowedOrigin = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((pattern) => matches(origin, pattern))

/** A wildcard stands for one or more labels and not for the domain itself. */
function matches(origin: string, pattern: string): boolean {
  const [scheme, suffix] = pattern.split('://*.')
  if (suffix === undefined) return origin === pattern
  return origin.startsWith(`${scheme}://`) && origin.endsWith(`.${suffix}`)
}
