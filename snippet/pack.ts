import { CLICK_ID } from '../shared/attribution/classify/click.ts'
import { CLICK_WEIGHTS, FACTORS } from '../shared/attribution/classify/weigh.ts'
import { CLICK_FACTS, GROK_MARK } from '../shared/attribution/surface-index.ts'
import {
  OTHER_AI,
  type SourcedFacts,
  SURFACES,
  type Surface,
} from '../shared/attribution/surfaces.ts'

/** The part of shared/ that the script needs: the build writes it into the code, as JSON. */
export interface Packed {
  /**
   * Each surface's id, then its facts: their kind and their value, its own host last. A kind is its
   * place in CLICK_FACTS; a click id is a documented `utm_source` and has its weight. In a value,
   * `$` is the id up to its first `_`: `duck_ai,0$.ai` is duck.ai.
   */
  surfaces: string
  /** The surface of a medium that means AI. */
  otherAi: string
  /** By kind of fact. */
  weights: typeof CLICK_WEIGHTS
  /** What a tag keeps on a link from another site, 0 to 1. */
  copiedLink: number
  /** A pattern: the ids of surfaces whose referrers GA4 knows. */
  knownToGa4: string
  /** What `unifyMarks` takes, and what it makes of it. */
  grokMark: string
  grokTag: string
  /** A pattern: a query with a click id, and the name of the last. */
  clickId: string
}

export const pack = (surfaces: readonly Surface[] = SURFACES): Packed => ({
  surfaces: surfaces
    .map(({ id, facts }) => ({ id, values: valuesOf(id, facts) }))
    .filter(({ values }) => values.length > 0)
    // Sorted by their facts, read backwards: similar rows next to each other compress better.
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map(({ id, values }) => [id, ...values].join(','))
    .join(' '),
  otherAi: OTHER_AI,
  weights: CLICK_WEIGHTS,
  copiedLink: FACTORS.copied_link,
  knownToGa4: surfaces.flatMap(({ id, knownToGa4 }) => (knownToGa4 ? id : [])).join('|'),
  grokMark: GROK_MARK[0],
  grokTag: GROK_MARK[1],
  clickId: `.*[?&](${CLICK_ID})=[^&]`,
})

const valuesOf = (id: string, facts: readonly SourcedFacts[]): string[] =>
  CLICK_FACTS.flatMap((kind) =>
    facts
      .filter(({ former }) => !former)
      .flatMap((each) =>
        (each[kind] ?? []).map(
          (value) => placeOf(kind) + shorten(kind === 'app' ? endOf(value, id) : value, id),
        ),
      ),
  ).toReversed()

const placeOf = (kind: (typeof CLICK_FACTS)[number]): number =>
  CLICK_FACTS.indexOf(kind === 'click_id' ? 'utm_documented' : kind)

const orderOf = ({ id, values }: { id: string; values: readonly string[] }): string =>
  `${[...values.join(',')].toReversed().join('')} ${id}`

/**
 * Of an Android package, the end from the name of its surface on, or its last part: `com.quora.poe`
 * lies under `poe`. The server knows the packages.
 */
const endOf = (app: string, id: string): string => {
  const parts = app.split('.')
  const named = parts.findIndex((part) => part.includes(id.replace(/_.*/, '')))
  return parts.slice(named).join('.')
}

/** Repetitions compress better. */
const shorten = (value: string, id: string): string =>
  value.toLowerCase().replace(id.replace(/_.*/, ''), '$')
