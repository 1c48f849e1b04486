import { GOOGLE_PAY_VERSION, isKnownShopPay } from '../../protocols/ucp/versions.ts'
import { field, isRecord, shown } from '../../web/json/json.ts'
import { dotted, type Path } from './findings.ts'
import type { HandlerEntry } from './offer.ts'

/** The most handlers that are read: no checkout could show more of them. */
const MAX_HANDLERS = 100

/**
 * What keeps payment handlers from being used, as sentences that begin with the path. A handler
 * that agents do not know is valid, and so is one with a part of its `config`: the rest comes with
 * each checkout (UCP source/schemas/payment_handler.json, business_schema).
 */
export function handlerFaults(handlers: readonly HandlerEntry[]): string[] {
  const read = handlers.slice(0, MAX_HANDLERS)
  return [...read.flatMap(blankId), ...sharedIds(read), ...read.flatMap(configFaults)]
}

const at = ({ path }: HandlerEntry, ...keys: Path): string => dotted([...path, ...keys])

/** An instrument names its handler by this id (UCP source/schemas, `handler_id`). */
const blankId = (entry: HandlerEntry): string[] =>
  typeof entry.id === 'string' && entry.id.trim() === ''
    ? [`${at(entry, 'id')} is empty: no payment can name this handler.`]
    : []

/** Two versions of one handler may share an id: they are the same payment method. */
function sharedIds(handlers: readonly HandlerEntry[]): string[] {
  const names = new Map<string, string>()
  return handlers.flatMap((entry) => {
    const { id, name } = entry
    if (typeof id !== 'string' || id.trim() === '') return []
    const first = names.get(id)
    if (first === undefined) names.set(id, name)
    return first === undefined || first === name
      ? []
      : [
          `${at(entry, 'id')} is ${shown(id)}, as that of ${shown(first)}: a payment cannot tell them apart.`,
        ]
  })
}

function configFaults(entry: HandlerEntry): string[] {
  switch (entry.name) {
    case 'com.google.pay':
      return entry.version === GOOGLE_PAY_VERSION && isRecord(entry.config)
        ? googlePayFaults(entry, entry.config)
        : []
    case 'dev.shopify.shop_pay':
      return shopPayFaults(entry)
    default:
      return []
  }
}

/**
 * Google Pay handler, config reference. Absent members may come with the checkout; a present one
 * that is unusable stays wrong.
 */
function googlePayFaults(entry: HandlerEntry, config: Record<string, unknown>): string[] {
  const { api_version, environment, merchant_info, allowed_payment_methods: methods } = config
  const config_ = (...keys: Path) => at(entry, 'config', ...keys)
  const faults: string[] = []
  if (api_version !== undefined && api_version !== 2) {
    faults.push(`${config_('api_version')} is ${shown(api_version)}: Google Pay has only 2.`)
  }
  if (environment !== undefined && environment !== 'TEST' && environment !== 'PRODUCTION') {
    faults.push(
      `${config_('environment')} is ${shown(environment)}, expected "TEST" or "PRODUCTION".`,
    )
  }
  if (environment === 'PRODUCTION' && isRecord(merchant_info) && !merchant_info.merchant_id) {
    faults.push(`${config_('merchant_info', 'merchant_id')} is missing: "PRODUCTION" requires it.`)
  }
  if (methods === undefined) return faults
  if (!Array.isArray(methods) || methods.length === 0) {
    faults.push(`${config_('allowed_payment_methods')} names no way to pay.`)
    return faults
  }
  return [
    ...faults,
    ...methods.slice(0, 10).flatMap((method, index) => methodFaults(method, index)),
  ]

  function methodFaults(method: unknown, index: number): string[] {
    const path = (...keys: Path) => config_('allowed_payment_methods', index, ...keys)
    const networks = field(field(method, 'parameters'), 'allowed_card_networks')
    const specification = field(method, 'tokenization_specification')
    const gateway = field(field(specification, 'parameters'), 'gateway')
    return [
      ...(Array.isArray(networks) && networks.length === 0
        ? [`${path('parameters', 'allowed_card_networks')} is empty: no card can be used.`]
        : []),
      ...(field(specification, 'type') === 'PAYMENT_GATEWAY' && !gateway
        ? [
            `${path('tokenization_specification', 'parameters', 'gateway')} is missing: without it, the token cannot be charged.`,
          ]
        : []),
    ]
  }
}

/** Shop Pay's business_config.json. */
function shopPayFaults(entry: HandlerEntry): string[] {
  const shop = field(entry.config, 'shop_id')
  return isKnownShopPay(entry.version) && (typeof shop !== 'string' || shop === '')
    ? [`${at(entry, 'config', 'shop_id')} is missing: Shop Pay needs the id of your shop.`]
    : []
}

const TEST = /^(test|testing|sandbox|staging|development)$/i

/** Whether every handler states that no real money moves. */
export const isTestOnly = (handlers: readonly HandlerEntry[]): boolean =>
  handlers.length > 0 &&
  handlers.every(({ config }) => {
    const environment = field(config, 'environment')
    return typeof environment === 'string' && TEST.test(environment)
  })
