import * as z from 'zod'
import {
  GOOGLE_PAY_VERSION,
  UCP,
  type UcpVersion,
} from '../../../../../shared/protocols/ucp/versions.ts'
import { OpaqueId } from '../../../checkout/caller.ts'
import { applyFaults, type JsonObject, type StoreRequest } from '../../../http/store-request.ts'
import type { Acceptance, GooglePay } from '../../../psp/acceptance.ts'
import { Text } from '../envelope.ts'

/** The JSON Schemas of our own handlers. */
export const HANDLERS_PATH = '/ucp/handlers'

/** One payment method, as the profile and each checkout offer it. */
interface Handler {
  /** An instrument names this id. */
  id: string
  /** The key of the map: a reversed host name, then the handler's own. */
  name: string
  version: string
  schema: string
  config: JsonObject
  /** The accepted types of credential. */
  credentials: readonly string[]
  /** The PSP's token in such a credential; null: it cannot be read. */
  tokenOf: (token: string) => string | null
}

/** The version of our own handlers; their dates are free (UCP, Payment handlers). */
const VERSION = '2026-11-22'

/** The type of instrument that every handler of ours takes. */
const CARD = 'card'
const INSTRUMENTS = [{ type: CARD }]

/** The payment methods of this shop. None if the PSP charges no token that an agent could have. */
function handlersOf(request: StoreRequest, acceptance: Acceptance): Handler[] {
  const handlers = ownHandlers(request, acceptance)
  const all = handlers.map(({ id }) => id)
  const ids = applyFaults(request, 'paymentHandlers', all)
  return handlers.filter(({ id }) => ids.includes(id))
}

function ownHandlers({ origin }: StoreRequest, acceptance: Acceptance): Handler[] {
  const own = new URL(origin).hostname.split('.').reverse().join('.')
  const described = (name: string) => ({
    id: name,
    name: `${own}.${name}`,
    version: VERSION,
    schema: `${origin}${HANDLERS_PATH}/${name}.json`,
    credentials: ['token'],
    tokenOf: (token: string) => token,
  })
  const { kind, publishableKey, isLive, googlePay } = acceptance
  return [
    ...(kind === 'test' ? [{ ...described('test_tokens'), config: { environment: 'test' } }] : []),
    ...(kind === 'stripe'
      ? [
          {
            ...described('stripe_tokens'),
            config: {
              environment: isLive ? 'live' : 'test',
              ...(publishableKey !== null && { publishable_key: publishableKey }),
            },
          },
        ]
      : []),
    ...(googlePay === null ? [] : [googlePayHandler(googlePay, origin)]),
  ]
}

/** Google Pay in the form of Google's own reference for UCP (`com.google.pay`). */
function googlePayHandler(settings: GooglePay, origin: string): Handler {
  const { environment, merchantId, merchantName, gateway, gatewayMerchantId } = settings
  const version = GOOGLE_PAY_VERSION
  return {
    id: 'google_pay',
    name: 'com.google.pay',
    version,
    schema: `https://pay.google.com/gp/p/ucp/${version}/schemas/config.json`,
    config: {
      api_version: 2,
      api_version_minor: 0,
      environment,
      merchant_info: {
        merchant_id: merchantId,
        merchant_name: merchantName,
        merchant_origin: new URL(origin).host,
      },
      allowed_payment_methods: [
        {
          type: 'CARD',
          parameters: {
            allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
            allowed_card_networks: ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER'],
          },
          tokenization_specification: {
            type: 'PAYMENT_GATEWAY',
            parameters: { gateway, gatewayMerchantId },
          },
        },
      ],
    },
    credentials: ['PAYMENT_GATEWAY'],
    tokenOf: gatewayToken,
  }
}

const GatewayToken = z.object({ id: OpaqueId })

/** Google passes the gateway's own token as JSON text; Stripe's is an object with an id. */
function gatewayToken(text: string): string | null {
  try {
    return GatewayToken.safeParse(JSON.parse(text)).data?.id ?? null
  } catch {
    return null
  }
}

/** The map `payment_handlers` of a version's profile: handlers by their names. */
export const offeredHandlers = (
  request: StoreRequest,
  version: UcpVersion,
  acceptance: Acceptance,
): JsonObject =>
  byName(version, handlersOf(request, acceptance), (handler, name) => ({
    id: handler.id,
    version: handler.version,
    // A schema belongs to the owner of the name; a name spelled anew has another owner.
    ...(name === handler.name && { schema: handler.schema }),
    available_instruments: INSTRUMENTS,
    config: handler.config,
  }))

/** The payment handlers in answers about a checkout, without the members of the profile. */
export const usableHandlers = (
  request: StoreRequest,
  version: UcpVersion,
  acceptance: Acceptance,
): JsonObject =>
  byName(version, handlersOf(request, acceptance), (handler) => ({
    id: handler.id,
    version: handler.version,
    available_instruments: INSTRUMENTS,
    config: handler.config,
  }))

/** Whether an agent can pay here at all. */
export const hasHandlers = (request: StoreRequest, acceptance: Acceptance): boolean =>
  handlersOf(request, acceptance).length > 0

const byName = (
  version: UcpVersion,
  handlers: readonly Handler[],
  show: (handler: Handler, name: string) => JsonObject,
): JsonObject =>
  Object.fromEntries(
    handlers.map((handler) => {
      const name = nameIn(version, handler.name)
      return [name, [show(handler, name)]]
    }),
  )

/** The characters of names in versions that do not allow those of hosts. */
const OLDER_NAME = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$/

/**
 * A handler's name as a version can spell it. Unspecified: older ones allow neither hyphens nor
 * labels that begin with a digit, which hosts have. There they become underscores, and `n4` for
 * `4`.
 */
const nameIn = (version: UcpVersion, name: string): string =>
  UCP.of(version).names === 'hosts' || OLDER_NAME.test(name)
    ? name
    : name
        .split('.')
        .map((label) => label.replaceAll('-', '_').replace(/^(?=[^a-z])/, 'n'))
        .join('.')

/** An instrument, as a platform pays with it. */
const Instrument = z.looseObject({
  id: Text.optional(),
  handler_id: Text.optional(),
  type: Text.optional(),
  display: z.object({ brand: Text.optional(), last_digits: Text.optional() }).optional(),
  credential: z
    .looseObject({ type: Text.optional(), token: z.string().max(10_000).optional() })
    .optional(),
})
type Instrument = z.infer<typeof Instrument>

/** The PSP's token in an instrument; else what is wrong with it, and where. */
export function tokenOf(
  { handler_id, type = CARD, credential }: Instrument,
  request: StoreRequest,
  acceptance: Acceptance,
): { token: string } | { wrong: 'handler_id' | 'type' | 'credential'; content: string } {
  const handlers = handlersOf(request, acceptance)
  const handler = handlers.find(({ id }) => id === handler_id)
  if (handler === undefined) {
    const ids = handlers.map(({ id }) => id).join(', ')
    return { wrong: 'handler_id', content: `Set handler_id to a handler of this checkout: ${ids}.` }
  }
  if (type !== CARD) return { wrong: 'type', content: `Send an instrument of the type ${CARD}.` }
  const { type: kind = '', token } = credential ?? {}
  const read =
    handler.credentials.includes(kind) && token ? OpaqueId.safeParse(handler.tokenOf(token)) : null
  return read?.success
    ? { token: read.data }
    : {
        wrong: 'credential',
        content: `Send a credential of the type ${handler.credentials.join(' or ')} with its token.`,
      }
}

// Unspecified: the default name of a payment's only instrument.
export const INSTRUMENT_ID = 'instrument_1'

/** An instrument as it may be shown again: never its credential. */
export const shownInstrument = ({ id, handler_id, type, display }: Instrument) => ({
  id: id ?? INSTRUMENT_ID,
  handler_id,
  type: type ?? CARD,
  selected: true,
  ...(display && { display }),
})

/** The JSON Schema of one of our own handlers; null for an unknown name. */
export function handlerSchema(
  request: StoreRequest,
  acceptance: Acceptance,
  file: string,
): JsonObject | null {
  const handler = handlersOf(request, acceptance).find(
    ({ schema }) => schema === `${request.origin}${HANDLERS_PATH}/${file}`,
  )
  if (handler === undefined) return null
  const isTest = handler.id === 'test_tokens'
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: handler.schema,
    name: handler.name,
    version: handler.version,
    title: isTest ? 'Tokens of the test PSP' : 'Tokens of Stripe',
    description: isTest
      ? 'Pays with a token of the test PSP, such as tok_visa. No money moves.'
      : 'Pays with a payment method (pm_…) or a shared payment token (spt_…) of Stripe.',
    type: 'object',
    required: ['id', 'handler_id', 'type', 'credential'],
    properties: {
      id: { type: 'string' },
      handler_id: { const: handler.id },
      type: { const: CARD },
      credential: {
        type: 'object',
        required: ['type', 'token'],
        properties: {
          type: { const: 'token' },
          token: { type: 'string', maxLength: 255 },
        },
      },
    },
  }
}

/** A mandate repeats the whole checkout; the body of a request has 64 KiB at most. */
const LONGEST_MANDATE = 60_000

/** The argument of `complete`. The PSP's token in it is never stored, logged or answered. */
export const UcpCompleteRequest = z.object({
  payment: z.object({ instruments: z.array(Instrument).max(20) }),
  ap2: z.object({ checkout_mandate: z.string().max(LONGEST_MANDATE).optional() }).optional(),
})
export type UcpCompleteRequest = z.infer<typeof UcpCompleteRequest>
