import { MODEL } from '../../../shared/attribution/classify/classify.ts'
import { sessionOf, visitOf } from './visit-ids.ts'

// What an event says twice is stored once. A build until 0.1.0 cannot read that, so it is done where keys
// are hashes (`short-keys.ts`). Rows from before are whole: each of the queries below takes both.

type Properties = Readonly<Record<string, unknown>>

/** The columns of an event that may be packed. */
interface Packable {
  domain: string
  session_id: string
  visit_id: string
  surface: string
  ai_surface?: string | null | undefined
  model: string
  value?: number | null | undefined
  currency?: string | null | undefined
  properties: Properties
}

/** Columns as they are stored. */
interface Packed {
  stored_visit: string
  stored_model: string
  stored_ai_surface: string | undefined
  properties: object
}

/**
 * Instead of a `visit_id` that is made of the `session_id`, or of the visit that the properties name. As a
 * capital letter where names of properties are short as well. A whole `visit_id` has a colon.
 */
const VISIT = { session: 's', visit: 'v', named: 'n' }

/** Names of properties, and what stands for them: no statement but those below reads these. */
const SHORT_NAMES = { variant_id: 'v', order_id: 'o', checkout_id: 'c' }

/** Instead of an `ai_surface` that is the `surface` as well. */
const SAME_SURFACE = '='

/** What a visit's event has of properties, in the order in which they are stored without their names. */
const OF_VISIT = ['property_id', 'referrer', 'landing'] as const

/** Instead of the start of a referrer. */
const REFERRER = { mark: '/', before: 'https://' }

/** Instead of the origin of the domain's own pages. */
const ORIGINS = [
  { mark: 'd', before: 'https://' },
  { mark: 'w', before: 'https://www.' },
]

export function packEvent(event: Packable): Packed {
  const { visit_id, surface, ai_surface, model } = event
  const visit = visitMark(event)
  const priced = withoutValue(event)
  const short = visit === undefined ? undefined : withShortNames(priced)
  return {
    stored_visit: (short === undefined ? visit : visit?.toUpperCase()) ?? visit_id,
    stored_model: model === MODEL ? PACKED_MODEL : packModel(model),
    stored_ai_surface: ai_surface === surface ? SAME_SURFACE : (ai_surface ?? undefined),
    properties: packVisit(event) ?? short ?? priced,
  }
}

function visitMark({ session_id, visit_id, properties }: Packable): string | undefined {
  if (visit_id === sessionOf(session_id)) return VISIT.session
  if (visit_id === visitOf(session_id)) return VISIT.visit
  const { visit_id: named } = properties
  return typeof named === 'string' && visit_id === visitOf(named) ? VISIT.named : undefined
}

/** The `visit_id` of a stored event. */
export const STORED_VISIT = `case lower(visit_id)
  when '${VISIT.session}' then '${sessionOf('')}' || session_id
  when '${VISIT.visit}' then '${visitOf('')}' || session_id
  when '${VISIT.named}' then '${visitOf('')}' || (properties->>'visit_id')
  else visit_id end`

/** The `ai_surface` of a stored event. */
export const STORED_AI_SURFACE = `case ai_surface when '${SAME_SURFACE}' then surface else ai_surface end`

const FIRST_DAY = '2020-01-01'
const DAY_MS = 86_400_000

/** A model such as `2026-11-21.1a2b3c4d` in eight characters, which are its six bytes in base64. */
function packModel(model: string): string {
  const [, day, fingerprint] = /^(\d{4}-\d\d-\d\d)\.([\da-f]{8})$/.exec(model) ?? []
  if (day === undefined || fingerprint === undefined) return model
  const days = (Date.parse(day) - Date.parse(FIRST_DAY)) / DAY_MS
  if (!(days >= 0 && days < 2 ** 16)) return model
  const bytes = Buffer.alloc(6)
  bytes.writeUInt16BE(days)
  bytes.write(fingerprint, 2, 'hex')
  return bytes.toString('base64')
}

/** Nearly every event has it. */
const PACKED_MODEL = packModel(MODEL)

/** The `model` of a stored event. */
export const STORED_MODEL = `case when model ~ '^[A-Za-z0-9+/]{8}$' then
    to_char(date '${FIRST_DAY}' + 256 * get_byte(decode(model, 'base64'), 0)
      + get_byte(decode(model, 'base64'), 1), 'YYYY-MM-DD')
    || '.' || encode(substring(decode(model, 'base64') from 3), 'hex')
  else model end`

/** The properties of a visit without their names, if it has these three alone. */
function packVisit({ domain, properties }: Packable): string[] | undefined {
  const { property_id, referrer, landing } = properties
  const isPlain =
    typeof landing === 'string' &&
    typeof property_id === 'string' &&
    typeof referrer === 'string' &&
    Object.keys(properties).length === OF_VISIT.length &&
    !referrer.startsWith(REFERRER.mark) &&
    !ORIGINS.some(({ mark }) => landing.startsWith(`${mark}/`))
  if (!isPlain) return undefined
  const from = referrer.startsWith(REFERRER.before)
    ? REFERRER.mark + referrer.slice(REFERRER.before.length)
    : referrer
  return [property_id, from, packLanding(domain, landing)]
}

/** Without those of a value that the event has as columns. */
function withoutValue({ value, currency, properties }: Packable): Properties {
  // Which of the two a sender has left out would be lost.
  if (value == null || currency == null) return properties
  if (properties.value !== value || properties.currency !== currency) return properties
  const { value: _, currency: __, ...rest } = properties
  return rest
}

/** Undefined where there is nothing to shorten, or a sender has one of the short names himself. */
function withShortNames(properties: Properties): Properties | undefined {
  const { variant_id, order_id, checkout_id, ...rest } = properties
  if (variant_id === undefined && order_id === undefined && checkout_id === undefined)
    return undefined
  if ('v' in rest || 'o' in rest || 'c' in rest) return undefined
  return { ...rest, v: variant_id, o: order_id, c: checkout_id }
}

function packLanding(domain: string, landing: string): string {
  const origin = ORIGINS.find(({ before }) => landing.startsWith(`${before}${domain}/`))
  return origin === undefined
    ? landing
    : origin.mark + landing.slice(origin.before.length + domain.length)
}

const LANDING = `case left(properties->>2, 2)
  ${ORIGINS.map(
    ({ mark, before }) =>
      `when '${mark}/' then '${before}' || domain || substr(properties->>2, ${mark.length + 1})`,
  ).join('\n  ')}
  else properties->>2 end`

const REFERRED = `case left(properties->>1, 1)
  when '${REFERRER.mark}' then '${REFERRER.before}' || substr(properties->>1, ${REFERRER.mark.length + 1})
  else properties->>1 end`

const LONG_NAMES = Object.entries(SHORT_NAMES)
  .map(
    ([name, short]) => `|| case when jsonb_exists(properties, '${short}')
      then jsonb_build_object('${name}', properties->'${short}') else '{}' end`,
  )
  .join(' ')

/** The `properties` of a stored event. */
export const STORED_PROPERTIES = `case
  when jsonb_typeof(properties) = 'array' then jsonb_build_object(
    '${OF_VISIT[0]}', properties->0, '${OF_VISIT[1]}', ${REFERRED}, '${OF_VISIT[2]}', ${LANDING})
  else case when visit_id in (${Object.values(VISIT)
    .map((mark) => `'${mark.toUpperCase()}'`)
    .join(', ')})
      then properties - '{${Object.values(SHORT_NAMES)}}'::text[] ${LONG_NAMES}
      else properties end
    || case when value is not null and not jsonb_exists(properties, 'value')
      then jsonb_build_object('value', value, 'currency', currency) else '{}' end
  end`
