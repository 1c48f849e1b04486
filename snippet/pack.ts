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
  /** By place in CLICK_FACTS, in percent. */
  weights: typeof CLICK_WEIGHTS
  mediumWeight: number
  /** What a surface keeps, in percent, that another one disputes. */
  conflict: number
  /** What a tag on a paid click keeps, 0 to 1. */
  paidClick: number
  /** Patterns: a `utm_medium` that says AI, a query with a click id. */
  aiMedium: string
  clickId: string
  model: string
}

const percent = (part: number) => Math.round(part * 100)

export const pack = (): Packed => ({
  surfaces: SURFACES.map(({ id, facts }) => ({ id, values: valuesOf(id, facts) }))
    .filter(({ values }) => values !== '')
    // Alike beside alike is shorter when it is compressed.
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, values }) => `${id} ${values}`)
    .join(' '),
  weights: CLICK_WEIGHTS,
  mediumWeight: CLICK_WEIGHTS.utm_medium,
  conflict: FACTORS.conflict,
  paidClick: FACTORS.paid_click,
  aiMedium: `^(${[...AI_MEDIUMS].join('|')})$`,
  clickId: `[?&](${CLICK_IDS.join('|')})=[^&]`,
  model: MODEL,
})

const valuesOf = (id: string, facts: readonly SourcedFacts[]): string =>
  CLICK_FACTS.flatMap((kind, place) =>
    facts.flatMap((each) => (each[kind] ?? []).map((value) => place + shorten(value, id))),
  )
    .toReversed()
    .join(' ')

const shorten = (value: string, id: string): string => {
  const text = value.toLowerCase()
  return text === id || text.startsWith(`${id}.`) ? text.slice(id.length) : text
}
