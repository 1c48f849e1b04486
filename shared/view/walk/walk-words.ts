import type { Cost } from '../../walk/transcript.ts'
import { formatNumber } from '../format.ts'
import type { Language } from '../language.ts'
import type { WalkFault, WalkSummaryFacts } from './walk-summary.ts'

/** `231 ms`, `3.1 s`. */
export function durationText(ms: number, { text, locale }: Language): string {
  return ms < 1000
    ? text('walk_ms', formatNumber(Math.round(ms), locale))
    : text('walk_seconds', formatNumber(Math.round(ms / 100) / 10, locale))
}

/** `812 B`, `12.4 kB`. */
export function bytesText(bytes: number, { text, locale }: Language): string {
  return bytes < 1000
    ? text('walk_bytes', formatNumber(bytes, locale))
    : text('walk_kilobytes', formatNumber(Math.round(bytes / 100) / 10, locale))
}

/** `7 requests, 12.4 kB, about 3,100 tokens for a model`. */
export const costText = ({ requests, bytes, tokens }: Cost, language: Language): string =>
  language.text(
    requests === 1 ? 'walk_cost_one' : 'walk_cost_of',
    formatNumber(requests, language.locale),
    bytesText(bytes, language),
    formatNumber(roughly(tokens), language.locale),
  )

/** An estimate has two significant digits. */
const roughly = (count: number): number => Number(count.toPrecision(2))

/** `UCP and ACP`, `UCP, ACP and x`: the words around the names are English in every locale. */
const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

/** Who can buy over what, in a sentence for each. */
export function verdictText(
  { verdicts }: WalkSummaryFacts,
  mode: 'look' | 'sandbox',
  { text }: Language,
): string[] {
  const key = {
    yes: `walk_can_${mode}`,
    partly: `walk_can_${mode}`,
    buyer: 'walk_buyer',
    agent: 'walk_not_this_agent',
    silent: 'walk_silent',
    no: 'walk_cannot',
  } as const
  return verdicts.map(({ buys, over }) => text(key[buys], listed(over)))
}

/** `17 of 18 purchases went as they should; one stopped when shipping was chosen.` */
export function countText(facts: WalkSummaryFacts, { text, locale }: Language): string[] {
  const { walked, failed, handed_over, not_walked, faults } = facts
  const number = (count: number) => formatNumber(count, locale)
  const said: string[] = []
  if (walked > 0) {
    if (failed === 0)
      said.push(walked === 1 ? text('walk_all_one') : text('walk_all', number(walked)))
    else if (walked === 1) said.push(text('walk_none_one', stops(faults, text, true)))
    else if (failed === walked) said.push(text('walk_none', number(walked), stops(faults, text)))
    else {
      const good = number(walked - failed)
      said.push(text('walk_some', good, number(walked), stops(faults, text)))
    }
  }
  if (handed_over > 0) {
    said.push(
      handed_over === 1 ? text('walk_handed_one') : text('walk_handed_many', number(handed_over)),
    )
  }
  if (not_walked > 0) {
    said.push(not_walked === 1 ? text('walk_not_one') : text('walk_not_many', number(not_walked)))
  }
  return said
}

/** Where the purchases stopped, grouped by step. */
function stops(faults: readonly WalkFault[], text: Language['text'], isOnly = false): string {
  const counts = new Map<string, number>()
  for (const { step, purchases } of faults) {
    const when = text(`walk_when_${step.step}`)
    counts.set(when, (counts.get(when) ?? 0) + purchases.length)
  }
  const parts = [...counts]
    .filter(([, count]) => count > 0)
    .map(([when, count]) =>
      isOnly
        ? text('walk_stopped_only', when)
        : count === 1
          ? text('walk_stopped_one', when)
          : text('walk_stopped_many', count, when),
    )
  return listed(parts)
}
