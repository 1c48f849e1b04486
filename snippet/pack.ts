import { AI_MEDIUMS, CLICK_IDS } from '../shared/classify-click.ts'
import { CLICK_WEIGHTS, FACTORS, MODEL } from '../shared/classify-weigh.ts'
import { CLICK_FACTS } from '../shared/surface-index.ts'
import { type SourcedFacts, SURFACES } from '../shared/surfaces.ts'

/** What the snippet holds of shared/: the build writes it into the code, as JSON. */
export interface Packed {
  /**
   * Each surface's id, then its facts: the place of their kind in CLICK_FACTS and their value. A
   * value that begins with the id is written without it: `grok 0.com 4` is grok.com and grok.
   */
  surfaces: string
  /** By kind of fact. */
  weights: typeof CLICK_WEIGHTS
  /** What a surface keeps that another one disputes, 0 to 1. */
  conflict: number
  /** What a tag on a paid click keeps, 0 to 1. */
  paidClick: number
  /** Patterns: a `utm_medium` that says AI, a query with a click id. */
  aiMedium: string
  clickId: string
  model: string
}

export const pack = (): Packed => ({
  surfaces: SURFACES.map(({ id, facts }) => ({ id, values: valuesOf(id, facts) }))
    .filter(({ values }) => values.length > 0)
    // Like hosts beside each other are shorter when they are compressed.
    .toSorted((a, b) => (lastOf(a.values) < lastOf(b.values) ? -1 : 1))
    .map(({ id, values }) => [id, ...values].join(' '))
    .join(' '),
  weights: CLICK_WEIGHTS,
  conflict: FACTORS.conflict,
  paidClick: FACTORS.paid_click,
  aiMedium: `^(${[...AI_MEDIUMS].join('|')})$`,
  clickId: `[?&](${CLICK_IDS.join('|')})=[^&]`,
  model: MODEL,
})

const valuesOf = (id: string, facts: readonly SourcedFacts[]): string[] =>
  CLICK_FACTS.flatMap((kind, place) =>
    facts.flatMap((each) => (each[kind] ?? []).map((value) => place + shorten(value, id))),
  ).toReversed()

const lastOf = (values: readonly string[]): string => values.at(-1) ?? ''

const shorten = (value: string, id: string): string => {
  const text = value.toLowerCase()
  return text === id || text.startsWith(`${id}.`) ? text.slice(id.length) : text
}
