import { field, isRecord } from '../../web/json/json.ts'
import { tokensOf } from '../agents.ts'
import { findHost, type SurfaceIndex, surfaceOf } from '../surface-index.ts'
import { type FetchPurpose, OTHER_AI, SURFACE_ID, SURFACES } from '../surfaces.ts'
import { campaignOf, hostOf, isPaid, surfaceOfSource, tagOf, textOf } from './click.ts'
import { readVerified, type Verified } from './verified.ts'
import { CALLER_WEIGHTS, type SurfaceEvidence, surfaceEvidenceOf } from './weigh.ts'

/** How a caller that is not a person's browser identifies itself. */
export interface CallerSignals {
  userAgent?: string | null
  /** The Signature-Agent header. */
  signatureAgent?: string | null
  /** What was verified of it; null: nothing. */
  verified?: Verified | null | undefined
}

/** What a purchase by UCP or ACP says about its origin. */
export interface ProtocolSignals {
  /** `ucp` or `acp`. */
  source?: string | null
  /** As the merchant declares it; ids without a row are kept. */
  aiSurface?: string | null
  /** The UCP-Agent header. */
  ucpAgent?: string | null
  /**
   * The `attribution` map of UCP: names of GA4, such as `campaign_source`, or those of a landing
   * URL, such as `utm_source`.
   */
  ucpAttribution?: unknown
  /** The `affiliate_attribution` object of ACP. */
  affiliateAttribution?: unknown
}

/** The purposes of agents whose reading is a visit: a person waits for it. */
export const VISITS = ['answer', 'action'] as const satisfies readonly FetchPurpose[]

/** The surface whose visiting agents have this token, in lower case. */
export const surfaceOfToken = (token: string, index: SurfaceIndex): string | null =>
  surfaceOf(index, 'answer', token) ?? surfaceOf(index, 'action', token)

/**
 * The evidence of signatures and User-Agent. One header counts once for each surface. What is only
 * claimed adds nothing to what is verified, and does not dispute it.
 */
export function readCaller(signals: CallerSignals, index: SurfaceIndex): SurfaceEvidence[] {
  const verified = readVerified(signals.verified)
  if (verified === null || verified.by === 'platform') return readClaims(signals, index)
  const { by, surface } = verified
  const signal = by === 'signature' ? 'signed' : 'verified_address'
  const proof = surfaceEvidenceOf(CALLER_WEIGHTS, signal, surface, by)
  // Visa vouches for an agent without saying whose it is.
  const claims = surface === OTHER_AI ? readClaims(signals, index) : []
  return claims.length > 0 ? claims : [proof]
}

function readClaims(signals: CallerSignals, index: SurfaceIndex): SurfaceEvidence[] {
  const agents = new Map<string, string>()
  for (const token of tokensOf(textOf(signals.userAgent))) {
    const surface = surfaceOfToken(token, index)
    if (surface !== null) agents.set(surface, token)
  }
  // Unspecified: monitors sign their requests too, so an unlisted signer does not prove AI.
  const signer = findHost(index, ['signer'], hostOf(signerOf(textOf(signals.signatureAgent))))
  return [
    ...[...agents].map(([surface, token]) =>
      surfaceEvidenceOf(CALLER_WEIGHTS, 'user_agent', surface, token),
    ),
    ...(signer === null
      ? []
      : [surfaceEvidenceOf(CALLER_WEIGHTS, 'signature_agent', signer.surface, signer.value)]),
  ]
}

/** The evidence of the purchase itself; none if it came over neither protocol. */
export function readProtocol(
  signals: ProtocolSignals & Pick<CallerSignals, 'verified'>,
  index: SurfaceIndex,
): { evidence: SurfaceEvidence[]; paid: boolean } {
  const evidence: SurfaceEvidence[] = []
  const aiSurface = textOf(signals.aiSurface)
  // The protocol alone says "AI, and unclear which"; saying it again does not make it surer.
  if (SURFACE_ID.test(aiSurface) && aiSurface !== OTHER_AI)
    evidence.push(
      surfaceEvidenceOf(CALLER_WEIGHTS, 'declared', declaredSurface(aiSurface, index), aiSurface),
    )

  const platform = hostOf(profileOf(textOf(signals.ucpAgent)))
  const listed = findHost(index, ['host', 'signer'], platform)
  if (listed !== null) {
    const verified = readVerified(signals.verified)
    const isSigned = verified?.by === 'platform' && verified.surface === listed.surface
    const signal = isSigned ? 'signed_platform' : 'ucp_agent'
    evidence.push(surfaceEvidenceOf(CALLER_WEIGHTS, signal, listed.surface, listed.value))
  }

  const sent = isRecord(signals.ucpAttribution) ? signals.ucpAttribution : {}
  const campaign = campaignOf(Object.keys(sent), (name) => field(sent, name), 'campaign', 'utm')
  const tagged = tagOf(campaign, index)
  if (tagged !== null) {
    const { surface, value, damped } = tagged
    evidence.push(surfaceEvidenceOf(CALLER_WEIGHTS, 'ucp_attribution', surface, value, damped))
  }

  const affiliate = affiliateOf(signals.affiliateAttribution, index)
  if (affiliate !== null) {
    evidence.push(
      surfaceEvidenceOf(CALLER_WEIGHTS, 'acp_affiliate', affiliate.surface, affiliate.value),
    )
  }

  const protocol = protocolOf(signals.source, platform)
  if (protocol !== null)
    evidence.push(surfaceEvidenceOf(CALLER_WEIGHTS, 'protocol', OTHER_AI, protocol))
  return { evidence, paid: isPaid(campaign) }
}

// Unspecified: a declared id without a row counts under the one row that it obviously means, as
// `openai` and `chatgpt_instant_checkout` mean `chatgpt`.
/** The row that a declared id names or means; the id itself if there is none, or several. */
export function declaredSurface(id: string, index: SurfaceIndex): string {
  const same = SURFACES.find((each) => bare(each.id) === bare(id))
  if (same !== undefined) return same.id
  // Short words, such as `pi` and `you`, are never obvious.
  const words = id.split('_').filter((word) => word.length > 3)
  const meant = new Set(
    [id.replaceAll('_', '.'), ...words].flatMap(
      (name) =>
        SURFACES.find((each) => each.id === name)?.id ??
        surfaceOfSource(name, index)?.surface ??
        [],
    ),
  )
  const [only = id, ...others] = meant
  return others.length === 0 ? only : id
}

const bare = (id: string) => id.replaceAll('_', '')

export const isProtocol = (source: unknown): source is 'ucp' | 'acp' =>
  source === 'ucp' || source === 'acp'

/** A caller with a UCP profile speaks UCP, under any name. */
function protocolOf(source: unknown, platform: string): 'ucp' | 'acp' | null {
  if (isProtocol(source)) return source
  return platform === '' ? null : 'ucp'
}

/** An affiliate claim names the page that it began on and the network that confirms it. */
function affiliateOf(claim: unknown, index: SurfaceIndex) {
  const page = hostOf(textOf(field(field(claim, 'source'), 'url')))
  const provider = textOf(field(claim, 'provider'))
  const network = provider === '' ? '' : hostOf(`https://${provider}`)
  return findHost(index, ['host'], page) ?? findHost(index, ['host'], network)
}

/** `profile="https://…"` out of a structured-field dictionary, or the bare URL. */
const profileOf = (header: string): string =>
  /(?:^|[\s,;])profile="([^"]*)"/.exec(header)?.[1] ?? header.trim()

/** The URL of a Signature-Agent: a string, a dictionary with one member, or the bare URL. */
const signerOf = (header: string): string => /"([^"]*)"/.exec(header)?.[1] ?? header.trim()
