import {
  AUTHENTICATION,
  ap2MandateIn,
  CART,
  CHECKOUT,
  capabilityEntry,
  FULFILLMENT,
  hasCapability,
  LOOKUP,
  ORDER,
  PERMALINK,
  publishedAt,
  SEARCH,
} from '../../../../../shared/protocols/ucp/names.ts'
import { SHOPPING, UCP, type UcpVersion } from '../../../../../shared/protocols/ucp/versions.ts'
import type { PublicJwk } from '../../../../signatures/jwk.ts'
import { BUYER_PATHS } from '../../../buyer/addresses.ts'
import {
  applyFaults,
  cacheable,
  type JsonObject,
  json,
  type Reply,
  type StoreRequest,
} from '../../../http/store-request.ts'
import type { Acceptance } from '../../../psp/acceptance.ts'
import type { Capabilities } from '../negotiation/platform-profiles.ts'
import { leafPath, OFFICIAL_PATHS, OLDER_VERSIONS } from '../paths.ts'
import { offeredHandlers } from './payment-handlers.ts'

/** The business profile of the newest UCP at `/.well-known/ucp`, with the store's signing keys. */
export function profileReply(
  request: StoreRequest,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): Reply {
  const version = applyFaults(request, 'profileVersion', UCP.newest)
  if (version !== UCP.newest) return leafReply(request, version, keys, acceptance)
  const { ucp } = profileOf(request, version, keys, acceptance)
  const supported_versions = Object.fromEntries(
    OLDER_VERSIONS.map((older) => [older, request.origin + leafPath(older)]),
  )
  return json(
    applyFaults(request, 'profile', {
      ucp: { ...ucp, supported_versions },
      [UCP.of(version).keys]: keys,
    }),
    cacheable(300),
  )
}

/** The same shop for agents of an older version: a leaf, which names no other versions. */
export const leafReply = (
  request: StoreRequest,
  version: UcpVersion,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): Reply =>
  json(
    { ...profileOf(request, version, keys, acceptance), [UCP.of(version).keys]: keys },
    cacheable(300),
  )

const OFFERED = [CHECKOUT, FULFILLMENT, CART, ORDER, SEARCH, LOOKUP, AUTHENTICATION]

/** How mandates are written (UCP, AP2 Mandates). */
const MANDATE_FORMATS = { vp_formats_supported: { 'dc+sd-jwt': {} } }

/** The store's capabilities in a version of UCP: with mandates, if it has keys to sign with. */
export const capabilitiesOf = (
  version: UcpVersion,
  { hasMandates = false }: { hasMandates?: boolean } = {},
): Capabilities => {
  const mandate = ap2MandateIn(version)
  return {
    ...withoutMandates(version),
    ...(hasMandates && {
      [mandate]: [{ ...capabilityEntry(version, mandate), config: MANDATE_FORMATS }],
    }),
  }
}

const withoutMandates = (version: UcpVersion): Capabilities =>
  Object.fromEntries(
    OFFERED.filter((name) => hasCapability(version, name)).map((name) => {
      const entry = capabilityEntry(version, name)
      const { spec: _, ...pageless } = entry
      // UCP's text has no page about the bank's challenge.
      return [name, [name === AUTHENTICATION ? pageless : entry]]
    }),
  )

/** A link to items that a person opens; older versions have none. */
function permalinkOf(origin: string, version: UcpVersion): Capabilities {
  if (!hasCapability(version, PERMALINK)) return {}
  const { schema } = capabilityEntry(version, PERMALINK)
  const config = { endpoint: origin + BUYER_PATHS.permalink }
  return { [PERMALINK]: [{ version, schema, config }] }
}

function profileOf(
  request: StoreRequest,
  version: UcpVersion,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): { ucp: JsonObject } {
  const { origin } = request
  const service = (transport: string, path: string, schema: string) => ({
    version,
    transport,
    endpoint: origin + path,
    spec: `${publishedAt(version)}/specification/overview`,
    schema: `${publishedAt(version)}/services/shopping/${schema}`,
  })
  return {
    ucp: {
      version,
      services: {
        [SHOPPING]: [
          service('rest', OFFICIAL_PATHS.rest, 'rest.openapi.json'),
          service('mcp', OFFICIAL_PATHS.mcp, 'mcp.openrpc.json'),
        ],
      },
      capabilities: {
        ...capabilitiesOf(version, { hasMandates: keys.length > 0 }),
        ...permalinkOf(origin, version),
      },
      payment_handlers: offeredHandlers(request, version, acceptance),
    },
  }
}
