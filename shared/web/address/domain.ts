import * as z from 'zod'
import { isLoopback } from './loopback.ts'

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/

/** RFC 1123, 2.1: letters, digits and inner hyphens, at most 63 characters. */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** A domain in its normal form that cannot be an IP address: its last label has only letters. */
const IN_ONE_FORM = /^(?=.{1,253}$)(?:(?![a-z0-9-]{64})[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}$/

/** Of an address that a person typed. */
const OWN_MACHINE =
  'Only your own machine reaches this address. To audit a shop there, run on that machine: aisle audit http://localhost:3000, with its port. Or open its page with the browser extension.'

/**
 * A bare host name in its normal form: lower case, no trailing dot, IDN as punycode. Anything else
 * gives the reason as a sentence (spec, Audit request: "Domain without scheme"). At most 253
 * characters, the limit of DNS; single labels such as `localhost` are refused.
 */
export function normaliseDomain(input: string): { domain: string } | { problem: string } {
  // Nearly every event of a server has it in this form, and the URL parser takes ten times as long.
  if (IN_ONE_FORM.test(input)) return { domain: input }
  const text = input.trim()
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return { problem: 'Send the domain without a scheme, such as "shop.example".' }
  }
  if (/[/\\?#@\s]/.test(text)) {
    return { problem: 'Send only the host name, without path, query, user or spaces.' }
  }
  if (text.startsWith('[') || text.includes('::'))
    return { problem: 'An IP address is not a domain.' }
  // Unspecified: a port is refused, also that of https: a store is its name, and agents ask port 443.
  if (text.includes(':')) return { problem: 'Send the domain without a port.' }
  // The URL parser also lowers case, decodes, and turns IDN into punycode (UTS #46).
  const host = URL.parse(`https://${text}`)?.hostname.replace(/\.$/, '')
  if (!host) return { problem: 'This is not a host name.' }
  // After parsing, because `0x7f.1` and `2130706433` are ways to write 127.0.0.1.
  if (IPV4.test(host)) return { problem: 'An IP address is not a domain.' }
  const labels = host.split('.')
  if (host.length > 253 || labels.length < 2 || !labels.every((label) => LABEL.test(label))) {
    return { problem: 'This is not a public host name, such as "shop.example".' }
  }
  return { domain: host }
}

/**
 * The domain of what a person typed or copied from an address bar:
 * `https://Shop.example/products?x` is `shop.example`. Anything else goes to `normaliseDomain`.
 */
export function domainOfAddress(input: string): { domain: string } | { problem: string } {
  const text = input.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  const isAddress =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    // A name before an @ is a mailbox. A port stays and is refused: it leads to another server.
    url.username === '' &&
    !/[\s\\]/.test(text)
  if (url !== null && isAddress && isLoopback(url.href)) return { problem: OWN_MACHINE }
  if (/\s/.test(text)) {
    return {
      problem: 'Enter the address of a store, such as shop.example or https://shop.example/.',
    }
  }
  return normaliseDomain(isAddress ? url.host : text)
}

/** The same if it can be read; anything else stays as it is, for the next check. */
export function pastedDomain(input: string): string {
  const read = domainOfAddress(input)
  return 'domain' in read ? read.domain : input
}

/** The domain, and then the same one without `www.`, or with it: most sites answer to both. */
export const withOrWithoutWww = (domain: string): [string, string] => [
  domain,
  domain.startsWith('www.') ? domain.slice('www.'.length) : `www.${domain}`,
]

/**
 * A domain in a request body: read and normalised by `normaliseDomain`. The limit on the raw text
 * is larger, because IDN and spaces shrink.
 */
export const Domain = z
  .string()
  .max(1000, 'A host name has at most 253 characters.')
  .transform((input, context) => {
    const read = normaliseDomain(input)
    if ('domain' in read) return read.domain
    context.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  })
  .describe('The host name of the store, without scheme, path and port: `shop.example`')
