import type { Overrides } from '../http/store-request.ts'
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

/** Stores that speak a part of official UCP, and are not wrong: `ucp-mcp.example`. */
export const VARIANTS: Readonly<Record<string, Overrides>> = {
  'ucp-rest': over('rest'),
  'ucp-mcp': over('mcp'),
  'ucp-older': { profileVersion: () => '2026-04-08' },
}
