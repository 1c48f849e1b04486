import type { FeedOptIns, FeedRow, FeedVendor, RowFault } from '../../../commerce/feed.ts'
import { leavesOut, statedValue, type VendorTable } from './vendors/table.ts'

export const noOptIns = (): FeedOptIns => ({
  checkout: 0,
  checkout_ready: 0,
  checkout_off: 0,
  search: 0,
  search_ready: 0,
  notices: 0,
  notices_broken: 0,
})

/** Counts what one row opts in to. `faults`: all that is wrong with it. */
export function countOptIns(
  counts: FeedOptIns,
  row: FeedRow,
  vendor: FeedVendor,
  faults: readonly RowFault[],
  table: VendorTable,
): void {
  const isListed = !faults.some((fault) => leavesOut(fault, table))
  if (vendor === 'google') {
    countGoogle(counts, row, isListed)
    return
  }
  // OpenAI: shown unless it says otherwise, sold only where it says so; lower case alone counts.
  const isShown = statedValue(row, SEARCH) !== 'false'
  const checkout = statedValue(row, CHECKOUT)
  if (isShown) counts.search += 1
  if (isShown && isListed) counts.search_ready += 1
  if (checkout === 'false') counts.checkout_off += 1
  if (checkout !== 'true') return
  counts.checkout += 1
  if (isListed && !faults.some(({ kind }) => kind === 'eligibility')) counts.checkout_ready += 1
}

const SEARCH = { name: 'is_eligible_search', also: ['enable_search'] }
const CHECKOUT = { name: 'is_eligible_checkout', also: ['enable_checkout'] }

/** Google's attribute and the part of it; older guides have no parts. */
const NATIVE = { name: 'native_commerce(checkout_eligibility)', also: ['native_commerce'] }

/** A notice in one cell: `prop_65:This product …`. */
const NOTICE = /^\s*(?:legal_disclaimer|safety_warning|prop_65)\s*:\s*\S/i

function countGoogle(counts: FeedOptIns, row: FeedRow, isListed: boolean): void {
  const native = statedValue(row, NATIVE)?.trim().toLowerCase() ?? ''
  if (native === 'false' || native === 'no') counts.checkout_off += 1
  if (native === 'true' || native === 'yes') {
    counts.checkout += 1
    if (isListed) counts.checkout_ready += 1
  }
  const whole = row.get('consumer_notice')
  const type = row.get('consumer_notice(consumer_notice_type)')
  const message = row.get('consumer_notice(consumer_notice_message)')
  if (whole === undefined && type === undefined && message === undefined) return
  counts.notices += 1
  const isWhole =
    whole === undefined ? type !== undefined && message !== undefined : NOTICE.test(whole)
  if (!isWhole) counts.notices_broken += 1
}
