import { OLDER_VERSIONS } from '../dialects/ucp/paths.ts'
import type { Overrides } from '../http/store-request.ts'
import { unlessSigned } from './agents.ts'
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

/** Stores that speak a part of official UCP, and are not wrong: `ucp-mcp.example`. */
export const VARIANTS: Readonly<Record<string, Overrides>> = {
  'ucp-rest': over('rest'),
  'ucp-mcp': over('mcp'),
  'ucp-older': { profileVersion: (newest) => OLDER_VERSIONS[0] ?? newest },
  'ucp-later': later,
  'ucp-signed-only': unlessSigned('signature_missing'),
}
