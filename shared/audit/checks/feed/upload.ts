import type {
  FeedKind,
  FeedRow,
  FeedVendor,
  RowFault,
  RowFaultKind,
} from '../../../commerce/feed.ts'
import { firstPlaceOf, hashOf, type Known, known } from '../../../commerce/known-texts.ts'
import { emptySample, type FeedSample } from './sample.ts'
import { judgeRow } from './tally.ts'
import type { FeedDestination } from './vendors/destinations.ts'
import { type FeedField, leavesOut, type VendorTable } from './vendors/table.ts'
import { DESTINATIONS } from './vendors/tables.ts'

/** One product that has a fault. */
interface FaultyProduct {
  /** From 1; the header of a table does not count. */
  row: number
  id: string | null
  /** The address of its page, as the feed states it. */
  link: string | null
  /** As written; null if absent. */
  value: string | null
}

/** Why products are left out of one destination, or are not as it wants them. */
export interface UploadCause {
  field: string
  kind: RowFaultKind
  /** In words that follow "expected". */
  expected: string
  /** False: the vendor does not say that it refuses the product for it. */
  leaves_out: boolean
  /** Only the newer of the vendor's pages asks for it. */
  newer: boolean
  /** The vendor's page about it. */
  source: string
  count: number
  /** The first ones. */
  examples: FaultyProduct[]
}

/** What one destination would do with the rows. */
interface DestinationCount {
  destination: FeedDestination
  /** Rows that would not be listed. */
  left_out: number
  /** The same by the older of its pages; null where it has one page. */
  left_out_by_older: number | null
  causes: UploadCause[]
}

/** All that is kept of a feed while it is read: plain data, of bounded size. */
export interface UploadState {
  rows: number
  /** Whose names the rows have, by the first one; null before it. */
  names: FeedVendor | null
  /** Rows that are left out of any of the destinations. */
  left_out: number
  destinations: DestinationCount[]
  ids: Known
  /** How many ids are kept to find the same one again. */
  most_ids: number
  /** Products to compare with their pages. */
  sample: FeedSample
}

/** The reasons why one row is left out, by destination. */
export interface RowOutcome {
  row: number
  id: string | null
  title: string | null
  link: string | null
  left_out: { destination: FeedDestination; causes: RowFault[] }[]
}

/** Characters of a value, an id or an address that are kept. */
const MAX_SHOWN = 300

/** Products that are named for each cause. */
const MAX_EXAMPLES = 10

/**
 * Begins the check of a feed for some destinations. `mostIds`: later ones are not compared, so that
 * no more than 14 bytes of each are held. `mostSampled`: products to compare with their pages.
 */
export const startUpload = (
  destinations: readonly FeedDestination[],
  mostIds: number,
  mostSampled = 0,
): UploadState => ({
  rows: 0,
  names: null,
  left_out: 0,
  destinations: destinations.map((destination) => ({
    destination,
    left_out: 0,
    left_out_by_older: null,
    causes: [],
  })),
  ids: known(),
  most_ids: mostIds,
  sample: emptySample(mostSampled),
})

/** A fault that another row has as well is one of all destinations. */
const REPEATED = { field: 'id', kind: 'duplicate', expected: 'an id of its own' } as const

/** Judges one row for each destination. Total, and linear in its values. */
export function countUploadRow(
  state: UploadState,
  row: FeedRow,
  vendor: FeedVendor | null,
): RowOutcome {
  state.rows += 1
  state.names ??= namesOf(row, vendor)
  const id = cut(row.get('item_id') ?? row.get('id') ?? row.get('sku'))
  const link = cut(row.get('link') ?? row.get('url'))
  const first = id === null ? null : firstRowOf(state, id)
  const again: RowFault[] = first === null ? [] : [{ ...REPEATED, value: `the id of row ${first}` }]
  const outcome: RowOutcome = {
    row: state.rows,
    id,
    title: cut(row.get('title')),
    link,
    left_out: [],
  }
  for (const count of state.destinations) {
    const table = tableFor(count.destination, state.names)
    const faults = table.removed?.(row) ? [] : [...judgeRow(row, table), ...again]
    const causes = keepAll(count, faults, table, { row: state.rows, id, link }, row)
    if (causes.length > 0) outcome.left_out.push({ destination: count.destination, causes })
  }
  if (outcome.left_out.length > 0) state.left_out += 1
  return outcome
}

/** Counts the faults of one row, and gives those that leave it out. */
function keepAll(
  count: DestinationCount,
  faults: readonly RowFault[],
  table: VendorTable,
  product: Omit<FaultyProduct, 'value'>,
  row: FeedRow,
): RowFault[] {
  const causes: RowFault[] = []
  let byOlder = false
  for (const fault of faults) {
    const rule = table.fields.find(({ name }) => name === fault.field)
    const isOut = leavesOut(fault, table)
    keep(count, fault, { isOut, rule, table, product, row })
    if (!isOut) continue
    causes.push(fault)
    byOlder ||= rule?.newer !== true
  }
  if (causes.length > 0) count.left_out += 1
  if (table.older !== undefined) {
    count.left_out_by_older = (count.left_out_by_older ?? 0) + (byOlder ? 1 : 0)
  }
  return causes
}

function keep(
  { causes }: DestinationCount,
  fault: RowFault,
  about: {
    isOut: boolean
    rule: FeedField | undefined
    table: VendorTable
    product: Omit<FaultyProduct, 'value'>
    row: FeedRow
  },
): void {
  const { field, kind } = fault
  const { isOut, rule, table, product, row } = about
  let cause = causes.find((each) => each.field === field && each.kind === kind)
  if (cause === undefined) {
    cause = {
      field,
      kind,
      expected: fault.expected + nameOf(field, kind, row),
      leaves_out: isOut,
      newer: rule?.newer === true,
      source: rule?.source ?? table.page,
      count: 0,
      examples: [],
    }
    causes.push(cause)
  }
  cause.count += 1
  if (cause.examples.length < MAX_EXAMPLES) {
    cause.examples.push({ ...product, value: cut(fault.value ?? undefined) })
  }
}

/** The two names that vendors have for one thing. */
const NAMES = [
  ['id', 'item_id'],
  ['link', 'url'],
  ['image_link', 'image_url'],
  ['item_group_id', 'group_id'],
] as const

/** What is not missing, but has the name of another vendor. */
function nameOf(field: string, kind: RowFaultKind, row: FeedRow): string {
  if (kind !== 'missing') return ''
  const pair = NAMES.find((names) => names.some((name) => name === field))
  const other = pair?.find((name) => name !== field)
  return other !== undefined && row.has(other) ? `; the feed has it as ${other}` : ''
}

/**
 * Which of the two vendors' names for its id, pages and pictures a row has: a feed in Google's may
 * have fields of OpenAI's as well.
 */
function namesOf(row: FeedRow, vendor: FeedVendor | null): FeedVendor {
  const count = (n: 0 | 1) => NAMES.filter((names) => row.has(names[n])).length
  const [google, openai] = [count(0), count(1)]
  return google === openai ? (vendor ?? 'google') : google > openai ? 'google' : 'openai'
}

/** By the names of its rows; those of no vendor are read as Google's, which most know. */
export const tableFor = (destination: FeedDestination, names: FeedVendor | null): VendorTable =>
  DESTINATIONS[destination][names ?? 'google']

/** Whether a destination takes the format; null where its pages do not say which ones it takes. */
export function takesFormat(
  destination: FeedDestination,
  names: FeedVendor | null,
  kind: FeedKind,
): { takes: readonly FeedKind[]; fits: boolean } | null {
  const takes = tableFor(destination, names).formats
  return takes === undefined ? null : { takes, fits: takes.includes(kind) }
}

const firstRowOf = ({ ids, rows, most_ids }: UploadState, id: string): number | null =>
  firstPlaceOf(ids, hashOf(id), rows, most_ids)

const cut = (text: string | undefined): string | null =>
  text === undefined ? null : text.slice(0, MAX_SHOWN)
