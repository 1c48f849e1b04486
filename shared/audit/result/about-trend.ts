import type { Trend } from './compare.ts'

/** Why there is no trend, or of what it is one, in a sentence; null where both judged the same. */
export function aboutTrend({ no_trend, compared: { judged, applicable } }: Trend): string | null {
  switch (no_trend) {
    case 'measured_differently':
      return 'The two audits measured different things, so their scores are not compared.'
    case 'too_little_judged':
      return `There is no trend: both audits judged only ${judged} of the ${applicable} rules that apply.`
    case null:
      return judged === applicable
        ? null
        : `Compared are the ${judged} of ${applicable} rules that both audits judged.`
  }
}
