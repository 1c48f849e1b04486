import { field, isRecord } from '../../web/json/json.ts'
import { CLICK_FACTS, findHost, indexSurfaces, packSurfaces } from '../surface-index.ts'
import { OTHER_AI, SURFACE_ID, SURFACES } from '../surfaces.ts'
import {
  type CallerSignals,
  declaredSurface,
  isProtocol,
  type ProtocolSignals,
  readCaller,
  readProtocol,
  surfaceOfToken,
  VISITS,
} from './caller.ts'
import { type ClickSignals, readClick } from './click.ts'
import { KINDS, type Kind } from './visit.ts'
import { ranked, type SurfaceEvidence, WEIGHTS_VERSION, weigh } from './weigh.ts'

/** What is known of the session that an event belongs to. */
interface VisitSignals {
  visit?: {
    /** As it was classified before; null if it was not. */
    surface: string | null
    kind: Kind
    confidence: number
  } | null
}

export type Signals = ClickSignals & CallerSignals & ProtocolSignals & VisitSignals

export interface Classification {
  /** An id of the table, an id that the merchant declared, `other_ai`, or null: no sign of AI. */
  surface: string | null
  kind: Kind | null
  /** 0 to 0.99. `bandOf` says what it counts as. */
  confidence: number
  /** An advertisement was involved as well. */
  paid: boolean
  /** The strongest first, including evidence for other surfaces. */
  evidence: readonly SurfaceEvidence[]
  model: string
}

// Without crawlers: to train a model and to build an index are not visits.
const FACTS = [...CLICK_FACTS, ...VISITS, 'signer'] as const
const INDEX = indexSurfaces(FACTS, SURFACES)

/**
 * Identifies the classifier of an event, stored with it so that it can be classified again: the
 * name of the weights, and a fingerprint of the table, which changes with every row.
 */
export const MODEL = `${WEIGHTS_VERSION}.${fingerprintOf(packSurfaces(FACTS, SURFACES))}`

/** FNV-1a, 32 bits: it tells tables apart and is not for secrets (draft-eastlake-fnv). */
function fingerprintOf(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

const IDS = new Set(SURFACES.map(({ id }) => id))

/**
 * The AI surface that a visit, a request or a purchase came from. Total and pure: every field may
 * be missing or hostile. The kind is decided first, and only its own evidence counts: the caller's
 * for a purchase or an agent, referrer and tags for a click. An earlier classification of the
 * session adds to each.
 */
export function classify(signals: Signals): Classification {
  const given: Signals = isRecord(signals) ? signals : {}
  // Unspecified: the kind is a purchase, else an agent, else a click. A caller's signature and
  // User-Agent say who buys as well as who visits, so they count in both of the first two.
  const caller = readCaller(given, INDEX)
  const purchase = readProtocol(given, INDEX)
  const visit = readVisit(given)
  if (visit !== null && !isProtocol(given.source)) {
    const called = visit.kind === 'agent' ? caller : []
    const evidence = joinVisit([...purchase.evidence, ...called], visit)
    return classification(visit.kind, evidence, purchase.paid)
  }
  if (purchase.evidence.length > 0) {
    const evidence = joinVisit([...purchase.evidence, ...caller], visit)
    return classification('protocol', evidence, purchase.paid)
  }
  if (caller.length > 0) return classification('agent', caller, false)
  const click = readClick(given, INDEX)
  return classification('referral', click.evidence, click.paid)
}

/** The surface whose agents are signed by the keys of this host; null if it is on no list. */
export const surfaceOfSigner = (host: string): string | null =>
  findHost(INDEX, ['signer'], host)?.surface ?? null

/** The surface of a platform that buys over UCP, by the host of its profile; null without one. */
export const surfaceOfPlatform = (host: string): string | null =>
  findHost(INDEX, ['host', 'signer'], host)?.surface ?? null

/** The surface whose agents have this token in their User-Agent; null if it is on no list. */
export const surfaceOfAgent = (token: string): string | null =>
  surfaceOfToken(token.toLowerCase(), INDEX)

/** The key that a surface counts under: its id, or `other_ai` if it has no row. */
export const reportedSurface = (surface: string): string => (IDS.has(surface) ? surface : OTHER_AI)

/** The key that a declared id counts under. */
export const countedSurface = (id: string): string => reportedSurface(declaredSurface(id, INDEX))

function classification(kind: Kind, evidence: SurfaceEvidence[], paid: boolean): Classification {
  if (evidence.length === 0) {
    return { surface: null, kind: null, confidence: 0, paid: false, evidence, model: MODEL }
  }
  return { ...weigh(evidence), kind, paid, evidence: ranked(evidence), model: MODEL }
}

const isKind = (value: unknown): value is Kind => KINDS.some((kind) => kind === value)

interface Visit {
  kind: Kind
  /** Its earlier classification with its confidence; null if there is none. */
  evidence: SurfaceEvidence | null
}

/** Null if the event names no visit. */
function readVisit({ visit }: VisitSignals): Visit | null {
  const kind = field(visit, 'kind')
  if (!isKind(kind)) return null
  const surface = field(visit, 'surface')
  const confidence = field(visit, 'confidence')
  const isKnown =
    typeof surface === 'string' &&
    SURFACE_ID.test(surface) &&
    typeof confidence === 'number' &&
    confidence > 0 &&
    confidence <= 1
  if (!isKnown) return { kind, evidence: null }
  const evidence: SurfaceEvidence = {
    signal: 'visit',
    surface,
    weight: confidence,
    value: surface,
    damped: [],
  }
  return { kind, evidence }
}

/**
 * The evidence of an event and of its visit. For one surface only the surer counts: the visit may
 * rest on the same words, which do not prove more when repeated.
 */
function joinVisit(own: readonly SurfaceEvidence[], visit: Visit | null): SurfaceEvidence[] {
  const known = visit?.evidence
  if (!known) return [...own]
  const agreeing = own.filter(({ surface }) => surface === known.surface)
  if (weigh(agreeing).confidence >= known.weight) return [...own]
  return [...own.filter(({ surface }) => surface !== known.surface), known]
}
