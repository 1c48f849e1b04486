import { getDomain } from 'tldts'
import { ACP_DISCOVERY } from '../../../shared/protocols/acp/discovery.ts'
import { normaliseDomain } from '../../../shared/web/address/domain.ts'
import { isUnder } from '../../../shared/web/address/same-site.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../../shared/web/http/presence.ts'
import { BODY_CAPS } from '../probe/fetch/request.ts'
import { type AuditSession, requestJson } from '../probe/session.ts'

/** Why a walk may not buy at the host of an endpoint, in sentences; null where it may. */
export type Consent = (endpoint: string) => Promise<string | null>

// Unspecified: a walk buys where the domain's owner sells. Anybody can write the address of another
// store into a profile, so the other host has to agree: its own profile or acp.json names the
// domain, or it leads there, as shop platforms lead from their own name of a shop to its domain.

/**
 * Reads at most once per host whether it agrees to purchases for a domain. `isNamed`: the caller's
 * key is for that host.
 */
export function createConsent(
  session: AuditSession,
  domain: string,
  isNamed: (host: string) => boolean = () => false,
): Consent {
  const asked = new Map<string, Promise<string | null>>()
  return (endpoint) => {
    const { origin, hostname } = new URL(endpoint)
    if (isOneSite(hostname, domain) || isNamed(hostname)) return Promise.resolve(null)
    const known = asked.get(origin) ?? askHost(session, origin, domain)
    asked.set(origin, known)
    return known
  }
}

/** Two names below one that somebody registered; tenants of a hosting platform are apart. */
function isOneSite(host: string, domain: string): boolean {
  const [one, other] = [host, domain].map((each) => getDomain(each, { allowPrivateDomains: true }))
  return host === domain || (typeof one === 'string' && one === other)
}

async function askHost(
  session: AuditSession,
  origin: string,
  domain: string,
): Promise<string | null> {
  const { host, hostname } = new URL(origin)
  const said: string[] = []
  for (const path of ['/.well-known/ucp', ACP_DISCOVERY, '/']) {
    const seen = await requestJson(session, {
      url: `${origin}${path}`,
      maxBytes: BODY_CAPS.manifest,
    })
    const { fetched } = seen
    const from = fetched.kind === 'answer' ? new URL(fetched.final_url).hostname : hostname
    if (from !== hostname && isUnder(from, domain)) return null
    // What a third host says is not the word of this one.
    const isThere = presenceOf(fetched).is === 'present'
    if (path !== '/' && isThere && isOneSite(from, hostname) && isNamedIn(jsonOf(seen), domain)) {
      return null
    }
    if (fetched.kind !== 'answer') said.push(describeFetch(fetched))
  }
  const unread = said.length === 0 ? '' : ` (${[...new Set(said)].join('; ')})`
  return (
    `It is at ${host}, which is not a host of ${domain}, and does not name ${domain} in its own /.well-known/ucp or acp.json${unread}: nothing was bought there. ` +
    `The owner of ${host} allows it with "domain": "${domain}" in its /.well-known/ucp. With a key for ${hostname}, Aisle walks there as well.`
  )
}

/** The fields that say who sells: other mentions in a document are not consent. */
const SELLERS: ReadonlySet<string> = new Set([
  'domain',
  'domains',
  'shops',
  'stores',
  'endpoint',
  'api_base_url',
])

/** Whether a document has the domain in one of these fields, or an address there. */
function isNamedIn(document: unknown, domain: string): boolean {
  const left: { value: unknown; sells: boolean }[] = [{ value: document, sells: false }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, sells } = next
    if (typeof value === 'string') {
      const named = sells ? (URL.parse(value)?.hostname ?? bareDomain(value)) : null
      if (named && isUnder(named, domain)) return true
    } else if (Array.isArray(value)) {
      for (const each of value) left.push({ value: each, sells })
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) {
        left.push({ value: each, sells: SELLERS.has(key) })
      }
    }
  }
  return false
}

function bareDomain(text: string): string | null {
  const read = normaliseDomain(text)
  return 'domain' in read ? read.domain : null
}
