import {
  countOnline,
  type FeedOnline,
  type ProductOnline,
} from '../../../shared/audit/checks/feed/online.ts'
import type { UploadCause } from '../../../shared/audit/checks/feed/upload.ts'
import {
  causeText,
  type DestinationResult,
  feedText,
  formatText,
  isReady,
  olderPageText,
  type UploadResult,
} from '../../../shared/audit/checks/feed/upload-result.ts'
import { seenWithText } from '../../../shared/web/site-access.ts'
import { englishCount } from '../../../shared/web/text/english-count.ts'
import { type Printable, printable, printableLines } from '../../../shared/web/text/printable.ts'
import type { Paint } from '../terminal/paint.ts'
import { wrap } from '../terminal/wrap.ts'

/** Products that are shown of each cause; JSON has more. */
const SHOWN = 3

/** The check of a feed for a terminal of `width` columns. */
export function uploadText(
  name: string,
  result: UploadResult,
  paint: Paint,
  width: number,
): Printable {
  const { problem, products, destinations } = result
  const verdict = isReady(result) ? paint('green', 'ready') : paint('red', 'not ready')
  return printableLines([
    printable`${paint('bold', name)}   ${feedText(result)}: ${verdict}`,
    ...(problem === null ? [] : wrap(problem, '  ', width)),
    ...(products === 0 ? [] : destinations.flatMap((to) => linesOf(result, to, paint, width))),
  ])
}

function linesOf(
  result: UploadResult,
  to: DestinationResult,
  paint: Paint,
  width: number,
): (string | Printable)[] {
  const { name, left_out, causes, page, read_on, note } = to
  const all = englishCount(result.products)
  const format = formatText(result, to)
  const older = olderPageText(to)
  const verdict =
    left_out === 0
      ? paint('green', `all ${all} would be listed`)
      : paint('red', `${englishCount(left_out)} of ${all} would be left out`)
  return [
    '',
    printable`${paint('bold', name)}   ${verdict}`,
    ...wrap(`By ${page} as of ${read_on}.`, '  ', width),
    ...(note === null ? [] : wrap(note, '  ', width)),
    ...(format === null ? [] : wrap(format, '  ', width)),
    ...(older === null ? [] : wrap(older, '  ', width)),
    ...causes.flatMap((cause) => causeLines(cause, page, paint, width)),
  ]
}

function causeLines(
  cause: UploadCause,
  page: string,
  paint: Paint,
  width: number,
): (string | Printable)[] {
  const { expected, leaves_out, count, examples, source } = cause
  const sign = leaves_out ? paint('red', 'left out') : paint('yellow', 'wrong   ')
  const rest = count - Math.min(count, SHOWN)
  return [
    printable`  ${sign}  ${englishCount(count)}  ${causeText(cause)}`,
    ...wrap(`Expected ${expected}.${source === page ? '' : ` ${source}`}`, '            ', width),
    ...examples.slice(0, SHOWN).map(({ row, id, link, value }) => {
      const said = value === null ? '' : `: ${value.slice(0, 60)}`
      return printable`            ${paint('dim', `row ${row}${id === null ? '' : ` (${id})`}${link === null ? '' : ` ${link}`}${said}`)}`
    }),
    ...(rest > 0 ? [printable`            ${paint('dim', `and ${englishCount(rest)} more`)}`] : []),
  ]
}

/** What the shop says differently, for the same. */
export function onlineText(online: FeedOnline, paint: Paint, width: number): Printable {
  const { shop, products, notes, seen_with } = online
  const { same, differ, unread } = countOnline(online)
  const count = `${englishCount(products.length)} compared: ${same} the same, ${differ} different, ${unread} not read`
  const found = products.filter(({ differences }) => differences.length > 0)
  const missing = products.filter((each) => each.unread !== null)
  return printableLines([
    '',
    ...(shop === null ? [] : [printable`${paint('bold', shop)}   ${count}`]),
    ...notes.flatMap((note) => wrap(note, '  ', width)),
    ...(seen_with === undefined ? [] : wrap(seenWithText(seen_with), '  ', width)),
    ...found.flatMap((product) => [
      printable`  ${paint('red', 'different')}  ${productName(product)}`,
      ...product.differences.flatMap(({ what, text }) =>
        wrap(`${what}: ${text}.`, '             ', width),
      ),
    ]),
    ...(missing.length === 0
      ? []
      : wrap('Not read, which says nothing of the feed or the shop:', '  ', width)),
    ...missing.flatMap((product) => [
      printable`  ${paint('dim', productName(product))}`,
      ...wrap(`${product.unread}.`, '             ', width),
    ]),
  ])
}

const productName = ({ row, id, link }: ProductOnline): string =>
  `row ${row}${id === null ? '' : ` (${id})`}${link === null ? '' : ` ${link}`}`
