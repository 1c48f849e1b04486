import { OLDER_VERSIONS } from '../dialects/ucp/paths.ts'
import { html, type Overrides, type StoreRequest } from '../http/store-request.ts'
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

/** Stores that speak a part of official UCP, and are not wrong: `ucp-mcp.example`. */
export const VARIANTS: Readonly<Record<string, Overrides>> = {
  'ucp-rest': over('rest'),
  'ucp-mcp': over('mcp'),
  'ucp-older': { profileVersion: (newest) => OLDER_VERSIONS[0] ?? newest },
  'ucp-later': later,
  'ucp-tiers': tiers,
}
