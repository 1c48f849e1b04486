import type { HandlerEntry } from '../../manifest/ucp/offer.ts'
import { field, isRecord, shown } from '../../web/json/json.ts'
import { type ItemSeen, inPlace, missing, unseen } from './requirement.ts'

/** Handlers that are read; a profile has one. */
const MAX_HANDLERS = 10

/**
 * Whether Google Pay takes real payments (config reference of Google's handler): the environment,
 * the merchant's id and the gateway that opens the tokens. What the profile leaves out may come
 * with each checkout (UCP source/schemas/payment_handler.json), and cannot be seen.
 */
export function productionOf(handlers: readonly HandlerEntry[]): ItemSeen {
  const findings = handlers.slice(0, MAX_HANDLERS).map(judgeConfig)
  return (
    findings.find(({ state }) => state === 'yes') ??
    findings.find(({ state }) => state === 'no') ??
    findings[0] ??
    missing('The profile does not offer com.google.pay.')
  )
}

function judgeConfig({ config }: HandlerEntry): ItemSeen {
  if (!isRecord(config)) return unseen('The handler has no config in the profile.')
  const { environment, merchant_info, allowed_payment_methods } = config
  const parts = [
    environmentOf(environment),
    merchantOf(merchant_info),
    gatewayOf(allowed_payment_methods),
  ]
  const sentences = (state: ItemSeen['state']) =>
    parts.flatMap((part) => (part.state === state ? [part.evidence] : [])).join(' ')
  if (parts.some(({ state }) => state === 'no')) return missing(sentences('no'))
  return parts.every(({ state }) => state === 'yes')
    ? inPlace(sentences('yes'))
    : unseen(sentences('unknown'))
}

function environmentOf(environment: unknown): ItemSeen {
  if (environment === undefined) return unseen('The config names no environment.')
  return environment === 'PRODUCTION'
    ? inPlace('The environment is PRODUCTION.')
    : missing(`The environment is ${shown(environment)}, expected "PRODUCTION".`)
}

function merchantOf(info: unknown): ItemSeen {
  if (info === undefined) return unseen('The config has no merchant_info.')
  const id = field(info, 'merchant_id')
  return typeof id === 'string' && id.trim() !== ''
    ? inPlace('merchant_id is there.')
    : missing('merchant_info has no merchant_id.')
}

function gatewayOf(methods: unknown): ItemSeen {
  if (methods === undefined) return unseen('The config names no allowed_payment_methods.')
  const specifications = (Array.isArray(methods) ? methods : [])
    .slice(0, MAX_HANDLERS)
    .map((method) => field(method, 'tokenization_specification'))
  // What else is needed depends on the gateway.
  const names = specifications.map((each) => field(field(each, 'parameters'), 'gateway'))
  const gateway = names.find((name) => typeof name === 'string' && name !== '')
  if (gateway !== undefined) return inPlace(`The gateway is ${shown(gateway)}.`)
  return specifications.some((each) => field(each, 'type') === 'DIRECT')
    ? unseen('Tokens are opened by the store itself (DIRECT), which Google has to approve.')
    : missing('No tokenization_specification names a gateway.')
}
