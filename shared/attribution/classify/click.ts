import { isSameSite } from '../../web/address/same-site.ts'
import { bareHost, findHost, type SurfaceIndex, surfaceOf, unifyMarks } from '../surface-index.ts'
import { type FactKind, OTHER_AI, SURFACES } from '../surfaces.ts'
import { CLICK_WEIGHTS, type Damping, type SurfaceEvidence, surfaceEvidenceOf } from './weigh.ts'

/** What a browser knows about where its visitor came from. */
export interface ClickSignals {
  /** `document.referrer` or the Referer header; an app is `android-app://<package>/`. */
  referrer?: string | null
  /** The URL that the visit began with. */
  landing?: string | null
  /** Whether the navigation had a `#:~:text=`; never its text, which is private. */
  textFragment?: boolean
}

export interface Campaign {
  source: string
  medium: string
  /**
   * The name of the click id of an advertisement in the URL or order; empty if there is none.
   * Unspecified: of several it is the last, because each link adds its own at the end.
   */
  clickId: string
}

/** The mediums that mean AI, and no assistant in particular. */
export const AI_MEDIUMS = [
  'ai',
  'gen-ai',
  ...['chat', 'assistant', 'search', 'referral'].flatMap((what) => [`ai-${what}`, `ai_${what}`]),
  'chatbot',
  'llm',
  'agentic',
  'agentic_commerce',
]
const PAID_MEDIUMS = new Set('cpc ppc cpm cpa cpv paid paid-search paid-social'.split(' '))
/**
 * Mediums of a merchant's other channels, which assistants never write, named after GA4's channels
 * (https://support.google.com/analytics/answer/9756891): `email`, `paid_social`, `web-push`.
 */
const OTHER_MEDIUM =
  /mail|newsletter|social|cp[acmv]|ppc|paid|retargeting|display|banner|affiliate|partner|influencer|sms|push|notification|^(sm|qr|print)$/
/**
 * A pattern: the names of click ids that count as advertising. Unspecified: they are those that
 * Google (`gclid`, `wbraid`), Microsoft (`msclkid`), Meta, TikTok and X put on advertisements, what
 * is named like them, such as Yandex' `yclid`, and those of assistants in the table of surfaces.
 */
export const CLICK_ID = [
  '\\w*(clk?id|braid)',
  ...SURFACES.flatMap(({ facts }) => facts.flatMap(({ click_id = [] }) => click_id)),
].join('|')
const WHOLE_CLICK_ID = new RegExp(`^(?:${CLICK_ID})$`)

/** A name is stored, so its length is limited to that of real ones. */
export const isClickId = (name: string): boolean => name.length <= 16 && WHOLE_CLICK_ID.test(name)
const UTM_FACTS = ['utm_documented', 'utm_observed', 'utm_tagged'] as const
/**
 * Hosts below an assistant's own that are not the assistant, by their first label: documentation,
 * status pages, help centres. Unspecified: the tag has no room for them, and drops such a session
 * once the server has ignored it.
 */
const COMPANY_PAGES = /^(about|api|blog|console|creator|dev|docs|help|platform|status|support)[.-]/
const GOOGLE = /^(www\.)?google\.([a-z]{2,3}|com?\.[a-z]{2})$/
const GOOGLE_APP = 'com.google.android.googlequicksearchbox'

/** Browsers do not send longer referrers; a longer text is ignored instead of cut. */
const LONGEST = 8192
const LONGEST_HOST = 253

/** The evidence of a visit's referrer and landing URL, and whether an advertisement brought it. */
export function readClick(
  signals: ClickSignals,
  index: SurfaceIndex,
): { evidence: SurfaceEvidence[]; paid: boolean } {
  const landing = urlOf(unifyMarks(textOf(signals.landing)))
  const from = refererOf(signals.referrer, hostIn(landing))
  const referred = from.external ? evidenceOfReferrer(from, index) : null
  const names = [...(landing?.searchParams.keys() ?? [])]
  const campaign = campaignOf(names, (name) => landing?.searchParams.get(name), 'utm')
  const damped = (surface: string, by: readonly Damping[]): Damping[] => [
    ...(from.external && referred?.surface !== surface ? (['copied_link'] as const) : []),
    ...by,
  ]
  const evidence = referred === null ? [] : [referred]
  const tagged = tagOf(campaign, index)
  if (tagged !== null) {
    const { signal, surface, value } = tagged
    evidence.push(
      surfaceEvidenceOf(CLICK_WEIGHTS, signal, surface, value, damped(surface, tagged.damped)),
    )
  }
  if (AI_MEDIUMS.includes(campaign.medium)) {
    const all = damped(OTHER_AI, dampedBy(campaign))
    evidence.push(surfaceEvidenceOf(CLICK_WEIGHTS, 'utm_medium', OTHER_AI, campaign.medium, all))
  }
  if (signals.textFragment === true && (from.google || from.host === '')) {
    const signal = from.google ? 'text_fragment_from_google' : 'text_fragment'
    evidence.push(surfaceEvidenceOf(CLICK_WEIGHTS, signal, 'google_ai_mode', ''))
  }
  return { evidence, paid: isPaid(campaign) }
}

/** A host from untrusted text, ready to be looked up; empty if the text is not an http(s) URL. */
export function hostOf(url: unknown): string {
  // Missing values are common, and failing to parse one costs as much as everything else.
  if (url === '') return ''
  return hostIn(urlOf(url))
}

function hostIn(url: URL | null): string {
  const host = url?.hostname.replace(/\.$/, '') ?? ''
  return host.length <= LONGEST_HOST ? host : ''
}

/** Untrusted text; empty if it is missing or too long. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' && value.length <= LONGEST ? value : ''

/**
 * Campaign fields by their names in a URL (`utm_…`) or in GA4 (`campaign_…`); of several prefixes,
 * the first that a field has counts.
 */
export const campaignOf = (
  names: readonly string[],
  get: (name: string) => unknown,
  ...prefixes: readonly ('utm' | 'campaign')[]
): Campaign => {
  const token = (name: string) =>
    prefixes.map((prefix) => tokenOf(get(`${prefix}_${name}`))).find((text) => text !== '') ?? ''
  return {
    source: bareHost(token('source')),
    medium: token('medium'),
    clickId: names.findLast((name) => isClickId(name) && textOf(get(name)) !== '') ?? '',
  }
}

export const isPaid = ({ medium, clickId }: Campaign): boolean =>
  clickId !== '' || PAID_MEDIUMS.has(medium)

/** The assistant that a campaign names: by the click id of its advertisement, or as the source. */
export function tagOf(campaign: Campaign, index: SurfaceIndex) {
  const { source, clickId } = campaign
  const advertised = surfaceOf(index, 'click_id', clickId)
  // Unspecified: an assistant's own advertisement is a visit by it. The tags next to its click id
  // are the advertiser's: they are evidence neither for nor against it.
  if (advertised !== null) {
    return { signal: 'click_id' as const, surface: advertised, value: clickId, damped: [] }
  }
  const tagged = surfaceOfSource(source, index)
  return tagged && { ...tagged, value: source, damped: dampedBy(campaign) }
}

/**
 * The evidence of a campaign against the assistant in its source. Unspecified: a click id and a
 * medium count once, because most links of advertisements have both.
 */
function dampedBy({ medium, clickId }: Campaign): Damping[] {
  if (clickId !== '') return ['paid_click']
  return OTHER_MEDIUM.test(medium) ? ['other_medium'] : []
}

/** The surface that a campaign source names exactly, and how well the token is documented. */
export function surfaceOfSource(source: string, index: SurfaceIndex) {
  for (const signal of UTM_FACTS) {
    const surface = surfaceUnder(index, signal, source)
    if (surface !== null) return { signal, surface }
  }
  // Unspecified: an assistant's own host as `utm_source` counts as if a merchant had written it.
  const surface = surfaceUnder(index, 'host', source)
  return surface === null ? null : { signal: 'utm_tagged' as const, surface }
}

/**
 * The surface of the listed source that a source is or, as a host, is below: `www.perplexity.ai`.
 */
const surfaceUnder = (index: SurfaceIndex, kind: FactKind, source: string): string | null =>
  source.length <= LONGEST_HOST ? (findHost(index, [kind], source)?.surface ?? null) : null

const tokenOf = (value: unknown): string => textOf(value).trim().toLowerCase()

interface Referer {
  host: string
  app: boolean
  google: boolean
  /**
   * Another site or an app sent the visitor, as opposed to a page of the store or a direct visit.
   */
  external: boolean
}

function refererOf(referrer: unknown, landingHost: string): Referer {
  const app = /^android-app:\/\/([\w.]+)/i.exec(textOf(referrer))?.[1]?.toLowerCase()
  if (app !== undefined) return { host: app, app: true, google: app === GOOGLE_APP, external: true }
  const host = hostOf(referrer)
  return {
    host,
    app: false,
    google: GOOGLE.test(host),
    external: host !== '' && !isSameSite(host, landingHost),
  }
}

function evidenceOfReferrer({ host, app }: Referer, index: SurfaceIndex): SurfaceEvidence | null {
  if (app) {
    const surface = surfaceOf(index, 'app', host)
    return surface === null ? null : surfaceEvidenceOf(CLICK_WEIGHTS, 'app', surface, host)
  }
  if (COMPANY_PAGES.test(host)) return null
  const listed = findHost(index, ['host', 'mixed_host'], host)
  return listed && surfaceEvidenceOf(CLICK_WEIGHTS, listed.kind, listed.surface, listed.value)
}

/** `URL.parse` is newer than some browsers that the tag runs in. */
function urlOf(value: unknown): URL | null {
  try {
    const url = new URL(textOf(value))
    return /^https?:$/.test(url.protocol) ? url : null
  } catch {
    return null
  }
}
