import { MODEL } from '../../../shared/attribution/classify/classify.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { sessionOf, visitOf } from './ids.ts'

// What an event says twice is stored once, where that is possible: the expressions below read such
// columns and whole ones.

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
export interface PackedColumns {
  stored_visit: string
  stored_model: string
  stored_ai_surface: string | undefined
  properties: object
}

/**
 * Instead of a `visit_id` that is made of the `session_id`, or of the visit that the properties
 * name. As a capital letter where names of properties are short as well. A whole `visit_id` has a
 * colon.
 */
const VISIT = { session: 's', visit: 'v', named: 'n' }

/** Its capital letters as a list in SQL. */
const CAPITALS = Object.values(VISIT)
  .map((mark) => `'${mark.toUpperCase()}'`)
  .join(', ')

const OF_SESSION = sessionOf('')
const OF_BROWSER = visitOf('')

/** Names of properties, and what stands for them: no statement but those below reads these. */
const SHORT_NAMES = new Map([
  ['variant_id', 'v'],
  ['order_id', 'o'],
  ['checkout_id', 'c'],
])

/** Instead of an `ai_surface` that is the `surface` as well. */
const SAME_SURFACE = '='

/**
 * What a visit's event has of properties, in the order in which they are stored without their
 * names.
 */
const OF_VISIT = ['property_id', 'referrer', 'landing'] as const

/** Instead of the start of a property's id, and of a referrer. */
const PROPERTY = { mark: '_', before: 'prop_' }
const REFERRER = { mark: '/', before: 'https://' }
type Start = typeof PROPERTY

/** Before the path, instead of the origin of the domain's own pages. */
const ORIGINS = [
  { mark: 'd', before: 'https://' },
  { mark: 'w', before: 'https://www.' },
]

/** An event in the few bytes in which it is stored. */
export function packEvent(event: Packable): PackedColumns {
  const { visit_id, surface, ai_surface, model } = event
  const mark = visitMark(event)
  const ofVisit = packVisit(event)
  const isShort = ofVisit === undefined && mark !== undefined && hasNoShortName(event)
  return {
    stored_visit: (isShort ? mark.toUpperCase() : mark) ?? visit_id,
    stored_model: model === MODEL ? PACKED_MODEL : packModel(model),
    stored_ai_surface: packAiSurface(ai_surface, surface),
    properties: ofVisit ?? packNamed(event, isShort),
  }
}

/** What is stored of a declared surface, where the event counts under this one. */
export const packAiSurface = (
  declared: string | null | undefined,
  surface: string,
): string | undefined => (declared === surface ? SAME_SURFACE : (declared ?? undefined))

function visitMark({ session_id, visit_id, properties }: Packable): string | undefined {
  if (isMadeOf(visit_id, OF_SESSION, session_id)) return VISIT.session
  if (isMadeOf(visit_id, OF_BROWSER, session_id)) return VISIT.visit
  const { visit_id: named } = properties
  return typeof named === 'string' && isMadeOf(visit_id, OF_BROWSER, named)
    ? VISIT.named
    : undefined
}

/** Compared in place, which is quicker than to make the text that it would be. */
const isMadeOf = (text: string, before: string, id: string): boolean =>
  text.length === before.length + id.length && text.startsWith(before) && text.endsWith(id)

/** The `visit_id` of a stored event. */
export const STORED_VISIT = `case lower(visit_id)
  when '${VISIT.session}' then '${OF_SESSION}' || session_id
  when '${VISIT.visit}' then '${OF_BROWSER}' || session_id
  when '${VISIT.named}' then '${OF_BROWSER}' || (properties->>'visit_id')
  else visit_id end`

/** The `ai_surface` of a stored event. */
export const STORED_AI_SURFACE = `case ai_surface when '${SAME_SURFACE}' then surface else ai_surface end`

const FIRST_DAY = '2020-01-01'

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
export function unpackModel(stored: string): string {
  if (!/^[A-Za-z0-9+/]{8}$/.test(stored)) return stored
  const bytes = Buffer.from(stored, 'base64')
  const day = new Date(Date.parse(FIRST_DAY) + bytes.readUInt16BE() * DAY_MS)
  return `${day.toISOString().slice(0, 10)}.${bytes.toString('hex', 2)}`
}

/** The properties of a visit without their names, if it has these three alone. */
function packVisit({ domain, properties }: Packable): string[] | undefined {
  const { property_id, referrer, landing } = properties
  const isPlain =
    typeof landing === 'string' &&
    typeof property_id === 'string' &&
    typeof referrer === 'string' &&
    Object.keys(properties).length === OF_VISIT.length &&
    property_id[0] !== PROPERTY.mark &&
    referrer[0] !== REFERRER.mark &&
    landing[1] !== '/'
  if (!isPlain) return undefined
  return [
    packStart(property_id, PROPERTY),
    packStart(referrer, REFERRER),
    packLanding(domain, landing),
  ]
}

const packStart = (text: string, { mark, before }: Start): string =>
  text.startsWith(before) ? mark + text.slice(before.length) : text

/** Whether a sender uses none of the short names himself. */
const hasNoShortName = ({ properties }: Packable): boolean =>
  !('v' in properties || 'o' in properties || 'c' in properties)

/** Properties with their names, without those of a value that the event has as columns. */
function packNamed({ value, currency, properties }: Packable, isShort: boolean): Properties {
  // Which of the two a sender has left out would be lost.
  const isTwice =
    value != null &&
    currency != null &&
    properties.value === value &&
    properties.currency === currency
  // A name that sets what an object is made from would be lost.
  if (Object.hasOwn(properties, '__proto__') || !(isTwice || isShort)) return properties
  const packed: Record<string, unknown> = {}
  for (const name in properties) {
    if (isTwice && (name === 'value' || name === 'currency')) continue
    packed[(isShort && SHORT_NAMES.get(name)) || name] = properties[name]
  }
  return packed
}

function packLanding(domain: string, landing: string): string {
  for (const { mark, before } of ORIGINS) {
    const end = before.length + domain.length
    if (
      landing[end] === '/' &&
      landing.startsWith(before) &&
      landing.startsWith(domain, before.length)
    ) {
      return mark + landing.slice(end)
    }
  }
  return landing
}

const LANDING = `case left(properties->>2, 2)
  ${ORIGINS.map(
    ({ mark, before }) =>
      `when '${mark}/' then '${before}' || domain || substr(properties->>2, ${mark.length + 1})`,
  ).join('\n  ')}
  else properties->>2 end`

const wholeStart = (at: number, { mark, before }: Start) => `case left(properties->>${at}, 1)
  when '${mark}' then '${before}' || substr(properties->>${at}, ${mark.length + 1})
  else properties->>${at} end`

const ORDER_ID = 'order_id'
/** The `order_id` among the properties of a stored event, as text. */
export const STORED_ORDER_ID = `properties->>case when visit_id in (${CAPITALS})
  then '${SHORT_NAMES.get(ORDER_ID)}' else '${ORDER_ID}' end`

const LONG_NAMES = [...SHORT_NAMES]
  .map(
    ([name, short]) => `|| case when jsonb_exists(properties, '${short}')
      then jsonb_build_object('${name}', properties->'${short}') else '{}' end`,
  )
  .join(' ')

/** The `properties` of a stored event. */
export const STORED_PROPERTIES = `case
  when jsonb_typeof(properties) = 'array' then jsonb_build_object(
    '${OF_VISIT[0]}', ${wholeStart(0, PROPERTY)}, '${OF_VISIT[1]}', ${wholeStart(1, REFERRER)},
    '${OF_VISIT[2]}', ${LANDING})
  else case when visit_id in (${CAPITALS})
      then properties - '{${[...SHORT_NAMES.values()]}}'::text[] ${LONG_NAMES}
      else properties end
    || case when value is not null and not jsonb_exists(properties, 'value')
      then jsonb_build_object('value', value, 'currency', currency) else '{}' end
  end`

/** The same as text, for which most visits need no JSON to be made: half the time in all. */
export const STORED_PROPERTIES_TEXT = `case
  when jsonb_typeof(properties) = 'array' and position('\\' in properties::text) = 0 then
    '{"${OF_VISIT[2]}": "' || ${LANDING} || '", "${OF_VISIT[1]}": "' || ${wholeStart(1, REFERRER)}
    || '", "${OF_VISIT[0]}": "' || ${wholeStart(0, PROPERTY)} || '"}'
  else (${STORED_PROPERTIES})::text end`
