import {
  broughtOf,
  TOLD_DAYS,
  WEEKS_BEFORE_DAYS,
} from '../../../shared/attribution/worth/figures.ts'
import { broughtLines } from '../../../shared/attribution/worth/words.ts'
import type { Gap } from '../../../shared/audit/result/result.ts'
import { shiftDay } from '../../../shared/web/moment.ts'
import { counted as countedNoun } from '../../../shared/web/text/english-count.ts'
import { readDaySums, readNamedDaySums } from '../../db/attribution/day-sums.ts'
import { shopDay } from '../../db/attribution/domain-settings.ts'
import type { Db } from '../../db/connect.ts'
import type { Dimension } from '../../db/events/tables.ts'
import { readFirstDays } from '../../db/watch/signals.ts'
import { readLanding } from '../beacon/landing.ts'

/** What AI brought to a store, and to the pages and products of each gap, as sentences. */
export interface GapWorth {
  store: string[]
  /** By the id of the gap; without those that are not of single pages or products. */
  gaps: Map<string, string[]>
}

type Places = Pick<Gap, 'id' | 'pages' | 'products'>

/** The path by which a report counts the visits that begin on a page; null for no address. */
function landingOf(page: string): string | null {
  const url = URL.parse(page)
  return url === null ? null : readLanding(`${url.origin}#${url.pathname}`).path
}

/** The same of all pages of a gap. */
export const landingsOf = ({ pages = [] }: Places): string[] => [
  ...new Set(pages.flatMap((page) => landingOf(page) ?? [])),
]

export const WHOLE_STORE = 'the whole store'

/** `the 2 pages that it was found on`, or `1 of the 2 pages` where one alone is counted by name. */
export function placesText(known: number, all: number, noun: 'page' | 'product'): string {
  const places = known === all && all === 1 ? noun : countedNoun(all, noun)
  return `${known === all ? '' : `${known} of `}the ${places} that it was found on`
}

/** Null for a store that AI has brought nothing yet. */
export async function loadGapWorth(
  db: Db,
  { domain, now, gaps }: { domain: string; now: Date; gaps: readonly Places[] },
): Promise<GapWorth | null> {
  const to = shiftDay(await shopDay(db, domain, now), -1)
  const first = (await readFirstDays(db, [domain])).get(domain)
  if (first === undefined || first > to) return null
  const longest = shiftDay(to, 1 - WEEKS_BEFORE_DAYS)
  const span = { from: first > longest ? first : longest, to }
  const named = (dimension: Dimension, names: readonly string[]) =>
    readNamedDaySums(db, domain, span, { dimension, names: [...new Set(names)] })
  const [store, landings, products] = await Promise.all([
    readDaySums(db, domain, span),
    named('landing', gaps.flatMap(landingsOf)),
    named(
      'product',
      gaps.flatMap(({ products = [] }) => products),
    ),
  ])
  const told = { from: shiftDay(to, 1 - TOLD_DAYS), to }
  const linesOf = (
    { counted, rows }: typeof landings,
    names: readonly string[],
    noun: 'page' | 'product',
  ): string[] => {
    if (names.length === 0) return []
    const known = new Set(names.filter((name) => counted.has(name)))
    if (known.size === 0) {
      return [
        `What AI brought to the ${countedNoun(names.length, noun)} is not counted apart: many others had more.`,
      ]
    }
    const own = rows.filter(({ name }) => known.has(name))
    return broughtLines({
      what: placesText(known.size, names.length, noun),
      span: told,
      figures: broughtOf(own, span, noun === 'product'),
    })
  }
  return {
    store: broughtLines({
      what: WHOLE_STORE,
      span: told,
      figures: broughtOf(store, span, false),
    }),
    gaps: new Map(
      gaps.flatMap((gap): [string, string[]][] => {
        const lines = [
          ...linesOf(landings, landingsOf(gap), 'page'),
          ...linesOf(products, gap.products ?? [], 'product'),
        ]
        return lines.length === 0 ? [] : [[gap.id, lines]]
      }),
    ),
  }
}
