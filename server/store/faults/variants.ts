import { CART, LOOKUP, SEARCH } from '../../../shared/protocols/ucp/names.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { OFFICIAL_PATHS, OLDER_VERSIONS } from '../dialects/ucp/paths.ts'
import { html, json, type Overrides, type Reply, type StoreRequest } from '../http/store-request.ts'
import { isCheckoutCall } from './agents.ts'
import { patch, without } from './overrides.ts'

/** A profile that names one transport of the shop, and no other versions. */
const over = (transport: string): Overrides => ({
  profile: (document) =>
    patch(document, 'ucp', (ucp) =>
      without(
        patch(ucp, 'services', (services) =>
          Object.fromEntries(
            Object.entries(services).map(([name, entries]) => [
              name,
              Array.isArray(entries)
                ? entries.filter((entry) => entry.transport === transport)
                : entries,
            ]),
          ),
        ),
        'supported_versions',
      ),
    ),
})

/** Later than any version that there is. */
const LATER_VERSION = '2099-01-01'

/**
 * The same profile as a later version might have it: its own version is one that no agent knows.
 */
const later: Overrides = {
  profile: (document) => ({
    ...patch(document, 'ucp', (ucp) => ({
      ...ucp,
      version: LATER_VERSION,
      services: {},
      capabilities: { 'dev.ucp.shopping.checkout': { since: LATER_VERSION } },
    })),
    keys: 'https://ucp.example/keys',
  }),
}

/** Who sends what the shop's admin made: a signature of the platform's own. */
const isOwners = ({ signatureAgent }: StoreRequest): boolean =>
  signatureAgent === '"https://shopify.com"'

/**
 * Three kinds of agents, as at most shops that speak UCP. Who does not sign reads catalog and
 * carts, and few pages; who signs may check out as well; the owner's header opens everything.
 */
const tiers: Overrides = {
  refusal: (right, { path, userAgent, signatureAgent }) =>
    path.startsWith('/products/') && signatureAgent === '' && !userAgent.startsWith('Mozilla/')
      ? html('<!doctype html><title>Slow down</title>', { status: 429 })
      : right,
  ucpCall: (call, request) =>
    isCheckoutCall(call) && !call.isSigned && !isOwners(request)
      ? { ...call, failure: 'signature_missing' }
      : call,
}

/** What a hand-over offers: products, and carts that a buyer pays on the shop's pages. */
const HANDED_OVER = [SEARCH, LOOKUP, CART]

/** Each profile of the shop without a checkout, and without what comes after one. */
const withoutCheckout = (reply: Reply): Reply => {
  const document: unknown = JSON.parse(reply.body)
  if (!isRecord(document)) return reply
  const changed = patch(document, 'ucp', (ucp) => ({
    ...patch(ucp, 'capabilities', (all) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => HANDED_OVER.includes(name))),
    ),
    payment_handlers: {},
  }))
  return { ...reply, body: JSON.stringify(changed) }
}

const isProfile = (path: string): boolean =>
  path === OFFICIAL_PATHS.profile || path.startsWith(`${OFFICIAL_PATHS.profile}/`)

/**
 * A shop that hands carts over, and has no checkout in UCP, as Google's cart transfer has it, and
 * as plugins of shop software do.
 */
const carts: Overrides = {
  reply: (reply, { path }) =>
    isProfile(path) && reply.status === 200 ? withoutCheckout(reply) : reply,
  refusal: (right, { path }) =>
    /^\/ucp\/v1\/(?:checkout-sessions|orders)(?:\/|$)/.test(path)
      ? json({ code: 'rest_no_route', message: 'No route was found.' }, { status: 404 })
      : right,
  tools: (all) => all.filter((name) => !/_(?:checkout|order)$/.test(name)),
}

/** Stores that speak a part of official UCP, and are not wrong: `ucp-mcp.example`. */
export const VARIANTS: Readonly<Record<string, Overrides>> = {
  'ucp-rest': over('rest'),
  'ucp-mcp': over('mcp'),
  'ucp-older': { profileVersion: (newest) => OLDER_VERSIONS[0] ?? newest },
  'ucp-later': later,
  'ucp-tiers': tiers,
  'ucp-carts': carts,
  'ucp-carts-older': { ...carts, profileVersion: (newest) => OLDER_VERSIONS[0] ?? newest },
}
