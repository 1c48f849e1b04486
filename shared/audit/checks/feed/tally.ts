import type {
  FeedRow,
  FeedTally,
  FeedVendor,
  RowFault,
  RowFaultKind,
} from '../../../commerce/feed.ts'
import { gtinProblem } from '../../../commerce/gtin.ts'
import { isCountry, isCurrency } from '../../../commerce/iso.ts'
import { firstPlaceOf, hashOf, type Known, known } from '../../../commerce/known-texts.ts'
import { countOptIns, noOptIns } from './opt-ins.ts'
import { PLATFORM } from './vendors/platform.ts'
import {
  type FeedField,
  isShortIsbn,
  statedValue,
  type ValueKind,
  type VendorTable,
} from './vendors/table.ts'
import { TABLES } from './vendors/tables.ts'

/** Examples of each kind of fault: enough to show what to look for. */
const MAX_EXAMPLES = 3

/** Characters of a value in an example. */
const MAX_SHOWN = 120

/** Ids, and variants, that are kept to find the same one again; in all, a few hundred KB. */
const MAX_KNOWN = 16_384

const rowOf = (table: Known, text: string, row: number): number | null =>
  firstPlaceOf(table, hashOf(text), row, MAX_KNOWN)

/** What is kept between two parts of a feed: plain data, and of bounded size. */
export interface TallyState extends FeedTally {
  ids: Known
  variants: Known
}

export const emptyTally = (): TallyState => ({
  rows: 0,
  incomplete: 0,
  with_gtin: 0,
  with_id: 0,
  faults: [],
  opt_ins: noOptIns(),
  ids: known(),
  variants: known(),
})

/** Counts one row. `vendor` is null for the product list of a platform. */
export function countRow(tally: TallyState, row: FeedRow, vendor: FeedVendor | null): void {
  const table = vendor === null ? PLATFORM : TABLES[vendor]
  tally.rows += 1
  const [idRule] = table.fields
  const id = (idRule && statedValue(row, idRule)) ?? null
  const faults = judgeRow(row, table)
  if (row.get('gtin')) tally.with_gtin += 1
  if (faults.some(({ kind }) => kind === 'missing')) tally.incomplete += 1
  if (id !== null) {
    tally.with_id += 1
    faults.push(...repeated(tally, id))
  }
  faults.push(...sameVariant(tally, row, table))
  if (vendor !== null) countOptIns(tally.opt_ins, row, vendor, faults, table)
  for (const fault of faults) keep(tally, fault, id)
}

/** The id of an earlier row. */
function repeated(tally: TallyState, id: string): RowFault[] {
  const first = rowOf(tally.ids, id, tally.rows)
  if (first === null) return []
  const expected = 'an id of its own'
  return [{ field: 'id', kind: 'duplicate', value: `the id of row ${first}`, expected }]
}

/** A variant that states nothing by which it differs from an earlier one of its group. */
function sameVariant(tally: TallyState, row: FeedRow, table: VendorTable): RowFault[] {
  const group = row.get(table.group) ?? row.get('item_group_id')
  if (group === undefined) return []
  const stated = table.variant.map((name) => row.get(name) ?? '')
  const first = rowOf(tally.variants, JSON.stringify([group, ...stated]), tally.rows)
  if (first === null) return []
  return [
    {
      field: table.group,
      kind: 'variants',
      value: group,
      expected: 'variants of a group that differ in title, color, size or another attribute',
    },
  ]
}

function keep(tally: TallyState, fault: RowFault, id: string | null): void {
  const { field, kind, expected } = fault
  const value = fault.value === null ? null : fault.value.slice(0, MAX_SHOWN)
  let count = tally.faults.find((each) => each.field === field && each.kind === kind)
  if (count === undefined) {
    count = { field, kind, expected, count: 0, examples: [] }
    tally.faults.push(count)
  }
  count.count += 1
  if (count.examples.length < MAX_EXAMPLES) {
    count.examples.push({ row: tally.rows, id: id === null ? null : id.slice(0, MAX_SHOWN), value })
  }
}

/** Everything that a vendor's table finds wrong with one row. Total, and linear in its values. */
export function judgeRow(row: FeedRow, table: VendorTable): RowFault[] {
  const values = new Map<string, string>()
  const faults: RowFault[] = []
  for (const rule of table.fields) {
    const value = statedValue(row, rule)
    if (value === undefined) {
      if (rule.need === 'required') faults.push(faultOf(rule, 'missing', null, 'a value'))
      continue
    }
    values.set(rule.name, value)
    const isFree = rule.free_with?.some((name) => states(row, name)) ?? false
    const fault = valueFault(isFree ? { ...rule, kind: 'fee' } : rule, value)
    if (fault !== null) faults.push(fault)
  }
  return [...faults, ...table.conditions((name) => values.get(name))]
}

/** As one value, or in parts. */
const states = (row: FeedRow, name: string): boolean =>
  [...row.keys()].some((key) => key === name || key.startsWith(`${name}(`))

const faultOf = (
  { name }: FeedField,
  kind: RowFaultKind,
  value: string | null,
  expected: string,
): RowFault => ({ field: name, kind, value, expected })

/** What is wrong with a value that is there, or null. */
function valueFault(rule: FeedField, value: string): RowFault | null {
  if (rule.kind === 'gtin') {
    const problem = gtinProblem(value)
    return problem === null ? null : faultOf(rule, 'gtin', value, `a valid GTIN: it ${problem}`)
  }
  // A price without a number says as little as none.
  if (rule.name === 'price' && !/\p{Nd}/u.test(value)) {
    return faultOf(rule, 'missing', value, 'a number')
  }
  if (rule.least !== undefined && !isLonger(value, rule.least - 1)) {
    return faultOf(rule, 'invalid', value, `at least ${rule.least} characters`)
  }
  if (rule.most !== undefined && isLonger(value, rule.most)) {
    return faultOf(rule, 'too_long', value, `at most ${rule.most} characters`)
  }
  const form = FORMS[rule.kind]
  if (form.fits(value, rule)) return null
  const expected = rule.one_of === undefined ? form.expected : `one of ${rule.one_of.join(', ')}`
  const kind = rule.kind === 'date' || rule.kind === 'dates' ? 'dates' : 'invalid'
  return faultOf(rule, kind, value, expected)
}

/** In characters as people count them: an emoji is one. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false
  let count = 0
  for (const _ of text) {
    count += 1
    if (count > most) return true
  }
  return false
}

/** Texts that stand where a name should. */
const PLACEHOLDER = /^(?:n\/?a|none|null|undefined|unknown|generic|no brand|does not exist|-+)$/i

/**
 * ISO 8601, a day or a time; the seconds, the colon of the zone and the zone itself may be absent.
 */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Milliseconds, or null for text that is not a date. */
function timeOf(text: string): number | null {
  const trimmed = text.trim()
  if (!DATE.test(trimmed)) return null
  const time = Date.parse(trimmed.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(time) ? null : time
}

/** `start/end`, the end not before the start. */
function isPeriod(text: string): boolean {
  const [from, to, ...more] = text.split('/')
  if (from === undefined || to === undefined || more.length > 0) return false
  const [start, end] = [timeOf(from), timeOf(to)]
  return start !== null && end !== null && start <= end
}

/** `15.00 USD`: a point, no separators, a code of ISO 4217. */
function isPrice(text: string): boolean {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)\s?([A-Z]{3})$/i.exec(text.trim())
  return match !== null && isCurrency((match[2] ?? '').toUpperCase())
}

/** `US:CA:Overnight:16.00 USD`, or several with commas between; parts may be empty. */
function isShipping(text: string): boolean {
  const parts = text.split(/[:,]/).map((part) => part.trim())
  const country = parts[0] ?? ''
  return (country === '' || isCountry(country.toUpperCase())) && parts.some(isPrice)
}

/** A JSON object of texts. */
function isMap(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && Object.values(value ?? {}).every(isText)
  } catch {
    return false
  }
}

/** A JSON list, or codes with commas between them. */
const countriesIn = (text: string): string[] => text.replaceAll(/[[\]"\s]/g, '').split(',')

const isText = (value: unknown): boolean => typeof value === 'string'

const MONEY = 'a number and a currency, such as 79.95 EUR'
const FORMS: Record<
  ValueKind,
  { expected: string; fits: (value: string, rule: FeedField) => boolean }
> = {
  text: { expected: 'text', fits: () => true },
  name: { expected: 'its name, or no value', fits: (value) => !PLACEHOLDER.test(value) },
  url: {
    expected: 'a URL that begins with https:// or http://',
    fits: (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
  },
  price: {
    expected: `${MONEY}, above 0`,
    fits: (value) => isPrice(value) && /[1-9]/.test(value),
  },
  fee: { expected: MONEY, fits: isPrice },
  one_of: {
    expected: 'a word of the list',
    // Feeds of before 2021 write `in stock`, and are still read.
    fits: (value, { one_of = [] }) =>
      one_of.includes(value.trim().toLowerCase().replaceAll(/\s+/g, '_')),
  },
  boolean: {
    expected: 'yes, no, true or false',
    fits: (value) => /^(?:yes|no|true|false)$/i.test(value),
  },
  lower_boolean: { expected: 'true or false', fits: (value) => /^(?:true|false)$/.test(value) },
  gtin: { expected: 'a valid GTIN', fits: (value) => gtinProblem(value) === null },
  gtins: {
    expected: 'at most 10 valid GTINs with commas between them',
    fits: (value) => {
      const all = value.split(',')
      const isKnown = (each: string) => gtinProblem(each) === null || isShortIsbn(each)
      return all.length <= 10 && all.every(isKnown)
    },
  },
  amount: {
    expected: `a number, or ${MONEY}`,
    fits: (value) => /^\d{1,12}(?:\.\d{1,6})?$/.test(value) || isPrice(value),
  },
  date: {
    expected: 'a date of ISO 8601, such as 2027-03-01 or 2027-03-01T09:00+0100',
    fits: (value) => timeOf(value) !== null,
  },
  dates: {
    expected: 'start/end in ISO 8601, such as 2027-03-01T00:00Z/2027-03-08T00:00Z',
    fits: isPeriod,
  },
  count: { expected: 'a whole number', fits: (value) => /^\d{1,12}$/.test(value) },
  rating: {
    expected: 'a number from 0 to 5',
    fits: (value) => /^\d(?:\.\d{1,6})?$/.test(value) && Number(value) <= 5,
  },
  country: {
    expected: 'a country code of ISO 3166-1, such as US',
    fits: (value) => isCountry(value.toUpperCase()),
  },
  countries: {
    expected: 'country codes of ISO 3166-1, such as ["US"] or US,CA',
    fits: (value) => countriesIn(value).every((code) => isCountry(code.toUpperCase())),
  },
  decimal: {
    expected: 'a number above 0',
    fits: (value) => /^\d{1,9}(?:\.\d{1,6})?$/.test(value) && /[1-9]/.test(value),
  },
  shipping: { expected: 'country:region:service:price, such as US:::4.90 USD', fits: isShipping },
  category: {
    expected: "a number of Google's taxonomy, or its full path",
    fits: (value) => /^\d{1,7}$/.test(value) || /\p{L}/u.test(value),
  },
  map: { expected: 'a JSON object of texts, such as {"color":"Blue"}', fits: isMap },
}
