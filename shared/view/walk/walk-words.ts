import type { Cost, StepName } from '../../walk/transcript.ts'
import { listedNames, WHEN } from '../../walk/verdict.ts'
import { formatNumber } from '../format.ts'
import type { Language } from '../language.ts'
import type { StopState } from './purchase-line.ts'
import type { WalkFault, WalkSummaryFacts } from './walk-summary.ts'

export const STEP_WORDS: Record<StepName, string> = {
  find: 'Find a product',
  open: 'Open a checkout',
  quote: 'Ask for shipping costs',
  address: 'Give the address',
  shipping: 'Choose shipping',
  change: 'Change the basket',
  repeat: 'Repeat a call',
  pay: 'Pay',
  order: 'Look up the order',
  cancel: 'Cancel',
  return: 'Come back',
  cart: 'Fill a cart',
  page: 'Follow a link',
}

export const STATE_NAMES: Record<StopState, string> = {
  ok: 'as it should be',
  stopped: 'stopped here',
  after: 'afterwards',
  next: 'under way',
  coming: 'to come',
  ahead: 'not reached',
}

/** `231 ms`, `3.1 s`. */
export function durationText(ms: number, { locale }: Language): string {
  return ms < 1000
    ? `${formatNumber(Math.round(ms), locale)} ms`
    : `${formatNumber(Math.round(ms / 100) / 10, locale)} s`
}

/** `812 B`, `12.4 kB`. */
export function bytesText(bytes: number, { locale }: Language): string {
  return bytes < 1000
    ? `${formatNumber(bytes, locale)} B`
    : `${formatNumber(Math.round(bytes / 100) / 10, locale)} kB`
}

/** `7 requests, 12.4 kB, about 3,100 tokens for a model`. */
export function costText({ requests, bytes, tokens }: Cost, language: Language): string {
  const number = (count: number) => formatNumber(count, language.locale)
  const asked = requests === 1 ? '1 request' : `${number(requests)} requests`
  return `${asked}, ${bytesText(bytes, language)}, about ${number(roughly(tokens))} tokens for a model`
}

/** An estimate has two significant digits. */
const roughly = (count: number): number => Number(count.toPrecision(2))

/** `22 of 23 purchases went as they should; one stopped when shipping was chosen.` */
export function countText(facts: WalkSummaryFacts, { locale }: Language): string[] {
  const { walked, failed, handed_over, not_walked, faults } = facts
  const number = (count: number) => formatNumber(count, locale)
  const said: string[] = []
  if (walked > 0) {
    if (failed === 0)
      said.push(
        walked === 1
          ? 'The purchase went as it should.'
          : `All ${number(walked)} purchases went as they should.`,
      )
    else if (walked === 1) said.push(`The purchase ${stops(faults, true)}.`)
    else if (failed === walked)
      said.push(`None of ${number(walked)} purchases went as it should: ${stops(faults)}.`)
    else {
      const good = number(walked - failed)
      said.push(`${good} of ${number(walked)} purchases went as they should; ${stops(faults)}.`)
    }
  }
  if (handed_over > 0) {
    said.push(
      handed_over === 1
        ? 'In one of them the buyer goes on in your store, which is fine.'
        : `In ${number(handed_over)} of them the buyer goes on in your store, which is fine.`,
    )
  }
  if (not_walked > 0) {
    said.push(
      not_walked === 1
        ? 'One more could not be tried.'
        : `${number(not_walked)} more could not be tried.`,
    )
  }
  return said
}

/** Where the purchases stopped, grouped by step. */
function stops(faults: readonly WalkFault[], isOnly = false): string {
  const counts = new Map<string, number>()
  for (const { step, purchases } of faults) {
    const when = WHEN[step.step]
    counts.set(when, (counts.get(when) ?? 0) + purchases.length)
  }
  const parts = [...counts]
    .filter(([, count]) => count > 0)
    .map(([when, count]) =>
      isOnly ? `stopped ${when}` : count === 1 ? `one stopped ${when}` : `${count} stopped ${when}`,
    )
  return listedNames(parts)
}
