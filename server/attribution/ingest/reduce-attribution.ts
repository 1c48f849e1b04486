import { CLICK_IDS } from '../../../shared/attribution/classify/click.ts'
import { field } from '../../../shared/web/json.ts'
import { reduceReferrer } from '../beacon/landing.ts'

const CAMPAIGN = ['campaign_source', 'campaign_medium', 'campaign_name']
const AFFILIATE = ['provider', 'touchpoint']
const LONGEST = 200

/**
 * UCP's `attribution` as far as it may be kept: the campaign. That there was a click id is kept as
 * well, but not the id, which is the visitor's.
 */
export const reduceAttribution = (sent: unknown): Record<string, string> => ({
  ...pick(sent, CAMPAIGN),
  ...Object.fromEntries(CLICK_IDS.filter((name) => textAt(sent, name)).map((name) => [name, '1'])),
})

/** ACP's `affiliate_attribution` without its token, which is the visitor's, and by the origin alone. */
export function reduceAffiliate(sent: unknown): Record<string, unknown> {
  const url = reduceReferrer(textAt(field(sent, 'source'), 'url'))
  return { ...pick(sent, AFFILIATE), ...(url && { source: { url } }) }
}

const pick = (sent: unknown, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => [name, textAt(sent, name).slice(0, LONGEST).toWellFormed()] as const)
      .filter(([, text]) => text !== ''),
  )

function textAt(sent: unknown, name: string): string {
  const value = field(sent, name)
  return typeof value === 'string' ? value : ''
}
