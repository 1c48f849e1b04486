import { ACP, type AcpVersion } from '../../../../../shared/protocols/acp/versions.ts'
import { field } from '../../../../../shared/web/json/json.ts'
import type { Acceptance } from '../../../psp/acceptance.ts'
import { SHOP_NAME } from '../../../shop/settings.ts'
import type { AcpSettings } from '../settings.ts'
import type { AcpState } from './state.ts'

/** The only handler: cards that the agent's payment provider has turned into a token. */
export const HANDLER_ID = 'card'

const HANDLER_FILES = 'https://acp.dev/schemas/handlers/tokenized.card'

export interface HandlerTerms {
  settings: AcpSettings
  acceptance: Acceptance
  /** The host that the session was opened on. */
  host: string
  version: AcpVersion
}

/** ACP, Payment handlers §10: none if the PSP charges no token that an agent could have. */
export function handlersOf({ settings, acceptance, host, version }: HandlerTerms): object[] {
  const { kind: psp, isLive } = acceptance
  if (psp === 'none') return []
  return [
    {
      id: HANDLER_ID,
      name: 'dev.acp.tokenized.card',
      version: '2026-01-22',
      spec: 'https://acp.dev/handlers/tokenized.card/v2026-01-22',
      requires_delegate_payment: true,
      requires_pci_compliance: false,
      psp,
      config_schema: `${HANDLER_FILES}/config.json`,
      instrument_schemas: [`${HANDLER_FILES}/instrument.json`],
      config: {
        merchant_id: settings.merchantId ?? host,
        psp,
        accepted_brands: ['visa', 'mastercard', 'amex'],
        supports_3ds: settings.acquirer !== null,
        environment: isLive ? 'production' : 'sandbox',
      },
      ...(ACP.of(version).displaysHandlers && { display_name: 'Card', display_order: 1 }),
    },
  ]
}

/**
 * The interventions that the store may ask an agent for, in this version. Unspecified: in an older
 * one authentication needs data of the buyer's browser that no call has. Such a payment is paid at
 * the session's page.
 */
export const ownInterventions = (
  { acquirer }: Pick<AcpSettings, 'acquirer'>,
  version: AcpVersion,
): '3ds'[] => (acquirer !== null && ACP.of(version).hasInterventions ? ['3ds'] : [])

/** Each answer's `capabilities` (ACP, Capability negotiation §4): what both sides can do. */
export function acpCapabilities(offer: HandlerTerms, { interventions = [] }: AcpState): object {
  const supported = ownInterventions(offer.settings, offer.version).filter((each) =>
    interventions.includes(each),
  )
  return {
    payment: { handlers: handlersOf(offer) },
    interventions: { supported, required: [], enforcement: 'conditional' },
  }
}

/** Data for the agent's 3DS authentication (ACP, authentication_metadata). */
export const authenticationMetadata = (
  acquirer: NonNullable<AcpSettings['acquirer']>,
  directory_server: string,
): object => ({
  acquirer_details: {
    acquirer_bin: acquirer.bin,
    acquirer_country: acquirer.country,
    acquirer_merchant_id: acquirer.merchantId,
    merchant_name: SHOP_NAME,
  },
  directory_server,
  flow_preference: { type: 'challenge' },
})

/** Unspecified: if the agent does not state the brand of a card, Visa's directory is named. */
export const directoryServerOf = (brand: string | undefined): string => {
  const name = brand?.toLowerCase()
  if (name === 'amex' || name === 'american_express') return 'american_express'
  return name === 'mastercard' ? 'mastercard' : 'visa'
}

/** The agent's declared interventions, as far as the store could use them. */
export function interventionsOf(capabilities: unknown): string[] {
  const supported = field(field(capabilities, 'interventions'), 'supported')
  return Array.isArray(supported) && supported.includes('3ds') ? ['3ds'] : []
}
