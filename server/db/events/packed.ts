import { MODEL } from '../../../shared/attribution/classify/classify.ts'
import { sessionOf, visitOf } from './visit-ids.ts'

// What an event says twice is stored once. A build until 0.1.0 cannot read that, so it is done where keys
// are hashes (`short-keys.ts`). Rows from before are whole: each of the queries below takes both.

/** The columns of an event that may be packed. */
interface Packable {
  domain: string
  session_id: string
  visit_id: string
  model: string
  value?: number | null | undefined
  currency?: string | null | undefined
  properties: Readonly<Record<string, unknown>>
}

/** Columns as they are stored. */
interface Packed {
  stored_visit: string
  stored_model: string
  properties: object
}

/** Instead of a `visit_id` that is made of the `session_id`. */
const VISIT_BY_SESSION = { visit: 'v', session: 's' }

/** What a visit's event has of properties, in the order in which they are stored without their names. */
const OF_VISIT = ['property_id', 'referrer', 'landing'] as const

/** Instead of the origin of the domain's own pages. */
const ORIGINS = [
  { mark: 'd', before: 'https://' },
  { mark: 'w', before: 'https://www.' },
]

export const packEvent = (event: Packable): Packed => ({
  stored_visit: packVisit(event),
  stored_model: event.model === MODEL ? PACKED_MODEL : packModel(event.model),
  properties: packProperties(event),
})

function packVisit({ session_id, visit_id }: Packable): string {
  if (visit_id === sessionOf(session_id)) return VISIT_BY_SESSION.session
  return visit_id === visitOf(session_id) ? VISIT_BY_SESSION.visit : visit_id
}

/** The `visit_id` of a stored event. */
export const STORED_VISIT = `case visit_id
  when '${VISIT_BY_SESSION.visit}' then '${visitOf('')}' || session_id
  when '${VISIT_BY_SESSION.session}' then '${sessionOf('')}' || session_id
  else visit_id end`

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

function packProperties({ domain, value, currency, properties }: Packable): object {
  const { property_id, referrer, landing } = properties
  if (
    typeof landing === 'string' &&
    typeof property_id === 'string' &&
    typeof referrer === 'string' &&
    Object.keys(properties).length === OF_VISIT.length &&
    !ORIGINS.some(({ mark }) => landing.startsWith(`${mark}/`))
  ) {
    return [property_id, referrer, packLanding(domain, landing)]
  }
  // Which of the two a sender has left out would be lost.
  if (value == null || currency == null) return properties
  if (properties.value !== value || properties.currency !== currency) return properties
  const { value: _, currency: __, ...rest } = properties
  return rest
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

/** The `properties` of a stored event. */
export const STORED_PROPERTIES = `case
  when jsonb_typeof(properties) = 'array' then jsonb_build_object(
    '${OF_VISIT[0]}', properties->0, '${OF_VISIT[1]}', properties->1, '${OF_VISIT[2]}', ${LANDING})
  when value is not null and not jsonb_exists(properties, 'value')
    then properties || jsonb_build_object('value', value, 'currency', currency)
  else properties end`
