import { isClickId } from '../../../shared/attribution/classify/click.ts'
import { keptPath } from '../../../shared/attribution/kept-path.ts'

/** Parameters of a URL that name a campaign, and not a visitor. */
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign']

/** What may be stored of a landing page. */
export function readLanding(text: string): { landing: string; path: string | null } {
  const url = parseWebUrl(text)
  return url === null
    ? { landing: '', path: null }
    : { landing: reduceLanding(url), path: landingPath(url) }
}

/**
 * The parts of a landing page's URL that may be stored: its origin and campaign parameters. A click
 * id is reduced to `1`, because the id itself identifies a visitor.
 */
function reduceLanding(url: URL): string {
  const kept = new URLSearchParams()
  for (const name of CAMPAIGN) {
    const value = url.searchParams.get(name)
    if (value) kept.set(name, cut(value))
  }
  // In their order: of several, the last one counts.
  for (const [name, value] of url.searchParams) {
    if (value && isClickId(name)) kept.set(name, '1')
  }
  return kept.size === 0 ? `${url.origin}/` : `${url.origin}/?${kept}`
}

// Unspecified: of the page that a visit begins on, its path is kept, without parameters, up to 200
// characters; parts that may identify a person are `*`. It comes in the fragment of `landing`, so
// that a snippet that is older, and sends no path, is not taken for one on the home page.

/** The path of a landing page as it may be stored; null where the snippet sent none. */
function landingPath({ hash }: URL): string | null {
  const path = hash.slice(1)
  return path.startsWith('/') ? keptPath(path) : null
}

/**
 * The origin of a referrer, or the Android app that sent the visitor (`android-app://<package>/`);
 * empty when it is neither. Paths and queries may hold what a person asked.
 */
export function reduceReferrer(text: string): string {
  const app = /^android-app:\/\/([\w.]{1,200})/i.exec(text)?.[1]
  if (app !== undefined) return `android-app://${app.toLowerCase()}/`
  const url = parseWebUrl(text)
  return url === null ? '' : `${url.origin}/`
}

/** The longest host name (RFC 1035, 2.3.4); URLs may have longer ones, which cannot be visited. */
const MAX_HOST = 253

function parseWebUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.hostname.length <= MAX_HOST ? url : null
}

/**
 * Characters of a value as it stands in the URL, so that what is stored of a beacon stays small.
 */
const MAX_VALUE = 100

/** The beginning of a value; whole characters, because jsonb takes no half of a surrogate pair. */
function cut(value: string): string {
  const whole = value.slice(0, MAX_VALUE).toWellFormed()
  // Nearly always: character by character would cost more than the rest of the beacon.
  if (whole === value && lengthInUrl(value) <= MAX_VALUE) return value
  let kept = ''
  let length = 0
  for (const character of whole) {
    length += lengthInUrl(character)
    if (length > MAX_VALUE) break
    kept += character
  }
  return kept
}

const lengthInUrl = (value: string): number =>
  new URLSearchParams([['', value]]).toString().length - '='.length
