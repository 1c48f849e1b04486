import {
  capabilityEntry,
  LOOKUP,
  publishedAt,
  SEARCH,
} from '../../../shared/protocols/ucp/names.ts'
import { SHOPPING, UCP } from '../../../shared/protocols/ucp/versions.ts'

/** The oldest version with catalogs: every agent that reads one knows it. */
const VERSION = UCP.all.find((version) => UCP.of(version).hasCatalog) ?? UCP.newest

/** What a shop answers. */
export interface ListedAnswer {
  status: number
  body: object
}

/** The profile of a shop whose products agents may search, and buy in its own checkout. */
export function catalogProfile(endpoint: string): object {
  const site = publishedAt(VERSION)
  return {
    ucp: {
      version: VERSION,
      services: {
        [SHOPPING]: [
          {
            version: VERSION,
            transport: 'rest',
            endpoint,
            spec: `${site}/specification/overview`,
            schema: `${site}/services/shopping/rest.openapi.json`,
          },
        ],
      },
      capabilities: {
        [SEARCH]: [capabilityEntry(VERSION, SEARCH)],
        [LOOKUP]: [capabilityEntry(VERSION, LOOKUP)],
      },
      payment_handlers: {},
    },
  }
}

/** What each answer says of the protocol. */
export const spoken = (capability: string): object => ({
  version: VERSION,
  capabilities: { [capability]: [{ version: VERSION }] },
  payment_handlers: {},
})

/** A catalogRefusal, as UCP says it. */
export const catalogRefusal = (status: number, code: string, content: string): ListedAnswer => ({
  status,
  body: {
    code,
    content,
    ucp: { version: VERSION, status: 'error' },
    messages: [{ type: 'error', code, content, severity: 'unrecoverable' }],
  },
})

export const NO_CATALOG: ListedAnswer = catalogRefusal(
  404,
  'not_found',
  'This shop publishes no catalog.',
)
