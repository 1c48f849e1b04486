import { CLICK_IDS } from '../../../shared/attribution/classify/click.ts'

/** Parameters of a URL that name a campaign, and not a visitor. */
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign']

/**
 * The parts of a landing page's URL that may be stored: its origin and campaign parameters. A click
 * id is reduced to `1`, because the id itself identifies a visitor. Empty if it is not a web URL. A
 * value keeps at most 100 characters.
 */
export function reduceLanding(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return ''
  const kept = new URLSearchParams()
  for (const name of CAMPAIGN) {
    const value = url.searchParams.get(name)
    // Cutting may split a surrogate pair, which jsonb does not take.
    if (value) kept.set(name, value.slice(0, 100).toWellFormed())
  }
  for (const name of CLICK_IDS) {
    if (url.searchParams.get(name)) kept.set(name, '1')
  }
  return kept.size === 0 ? `${url.origin}/` : `${url.origin}/?${kept}`
}

/**
 * The origin of a referrer, or the Android app that sent the visitor (`android-app://<package>/`);
 * empty when it is neither. Paths and queries may hold what a person asked.
 */
export function reduceReferrer(text: string): string {
  const app = /^android-app:\/\/([\w.]{1,200})/i.exec(text)?.[1]
  if (app !== undefined) return `android-app://${app.toLowerCase()}/`
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? `${url.origin}/` : ''
}
