import { isClickId } from '../../../shared/attribution/classify/click.ts'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import { reduceReferrer } from '../beacon/landing.ts'

/**
 * Members of UCP's `attribution` that name a campaign (UCP
 * source/schemas/shopping/types/attribution.json).
 */
const CAMPAIGN = [
  'campaign_source',
  'campaign_medium',
  'campaign_name',
  'utm_source',
  'utm_medium',
  'utm_campaign',
]

/**
 * Members of ACP's `affiliate_attribution` that name a partner, and not a visitor (ACP
 * rfcs/rfc.affiliate_attribution.md).
 */
const AFFILIATE = ['provider', 'touchpoint']

/** Characters of a value that are kept. */
const LONGEST = 200

/**
 * The parts of UCP's `attribution` that may be stored: the campaign. A click id is reduced to `1`,
 * because the id itself identifies a visitor.
 */
export const reduceAttribution = (sent: unknown): Record<string, string> => ({
  ...pick(sent, CAMPAIGN),
  ...Object.fromEntries(clickIdsOf(sent).map((name) => [name, '1'])),
})

/** ACP's `affiliate_attribution` without its token, which identifies a visitor; URLs as origins. */
export function reduceAffiliate(sent: unknown): Record<string, unknown> {
  const url = reduceReferrer(textAt(field(sent, 'source'), 'url'))
  return { ...pick(sent, AFFILIATE), ...(url && { source: { url } }) }
}

const clickIdsOf = (sent: unknown): string[] =>
  isRecord(sent)
    ? Object.keys(sent).filter((name) => isClickId(name) && textAt(sent, name) !== '')
    : []

/** The texts under these names, cut and made valid Unicode; empty ones are left out. */
const pick = (sent: unknown, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => [name, textAt(sent, name).slice(0, LONGEST).toWellFormed()] as const)
      .filter(([, text]) => text !== ''),
  )

/** A text member of an untrusted object, empty where there is none. */
function textAt(sent: unknown, name: string): string {
  const value = field(sent, name)
  return typeof value === 'string' ? value : ''
}
