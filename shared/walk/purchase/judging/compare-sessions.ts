import { shown } from '../../../web/json/json.ts'
import type { Fact } from '../../dialect.ts'
import type { Session } from '../../session.ts'
import { moneyText } from './reply-words.ts'

/** What a later answer says otherwise than an earlier one, and where. */
export interface SessionDifference {
  fact: Fact
  /** In sentences. */
  found: string
}

/**
 * The first difference between two answers about one purchase, in any dialect: between what was
 * agreed and what was charged, what was answered and what is read, what was paid and the order.
 * What one of them does not state is not compared. `of` is what they are answers about.
 */
export function differenceOf(
  before: Session,
  now: Session,
  of: 'checkout' | 'cart' = 'checkout',
): SessionDifference | null {
  const [was, is] = [before.currency?.toUpperCase(), now.currency?.toUpperCase()]
  if (differ(before.id, now.id)) return otherwise('id', `The ${of}`, before.id, now.id)
  if (differ(was, is)) return otherwise('currency', 'The currency', was, is)
  const amounts = before.isEstimate ? null : amountsDiffer(before, now)
  if (amounts !== null) return amounts
  if (differ(before.chosen, now.chosen)) {
    return otherwise('shipping', 'The chosen shipping', before.chosen, now.chosen)
  }
  return linesDiffer(before, now)
}

const differ = <T>(one: T | null | undefined, other: T | null | undefined): boolean =>
  one != null && other != null && one !== other

const otherwise = (fact: Fact, what: string, was: unknown, is: unknown): SessionDifference => ({
  fact,
  found: `${what} was ${shown(was)}, and is ${shown(is)}.`,
})

function amountsDiffer(before: Session, now: Session): SessionDifference | null {
  const isOther = differ(before.total, now.total)
  const changes = changesOf(before, now)
  // A total that stays may be listed otherwise: its tax by place, its goods before a discount.
  if (!isOther && !changes.some(({ isReal }) => isReal)) return null
  const found = `The total was ${moneyText(before.total ?? 0, before.currency)}, and is ${moneyText(now.total ?? 0, now.currency)}.`
  return {
    fact: 'total',
    found: [...(isOther ? [found] : []), ...changes.map(({ text }) => text)].join(' '),
  }
}

/** Amounts that are new, gone or other than before, each as a sentence. */
function changesOf(before: Session, now: Session): { text: string; isReal: boolean }[] {
  const [earlier, later] = [amountsOf(before), amountsOf(now)]
  if (before.total === null || earlier.size === 0 || later.size === 0) return []
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((name) => {
    const [was, is] = [earlier.get(name) ?? 0, later.get(name) ?? 0]
    if (was === is) return []
    const text = moneyText(is, now.currency)
    return earlier.has(name)
      ? {
          text: `${name} was ${moneyText(was, before.currency)}, and is ${text}.`,
          isReal: later.has(name),
        }
      : { text: `${name} of ${text} is new.`, isReal: isFee(name) }
  })
}

/** A name of what agents have to tell the buyer before it is charged. */
export const isFee = (name: string): boolean => /fee|surcharge/i.test(name)

function amountsOf({ parts }: Session): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const { name, amount } of parts ?? []) amounts.set(name, (amounts.get(name) ?? 0) + amount)
  return amounts
}

/** Lines may be split and sorted otherwise: what counts is how many there are of a thing. */
function linesDiffer(before: Session, now: Session): SessionDifference | null {
  const [was, is] = [linesText(before), linesText(now)]
  if (was !== null && is !== null && was !== is) {
    return { fact: 'quantity', found: `It held ${was}, and holds ${is}.` }
  }
  for (const { item, price, title } of before.lines ?? []) {
    for (const other of now.lines?.filter((line) => line.item === item) ?? []) {
      if (price !== null && other.price !== null && price !== other.price) {
        const cost = moneyText(price, before.currency)
        const costs = moneyText(other.price, now.currency)
        return { fact: 'price', found: `${shown(item)} cost ${cost}, and costs ${costs}.` }
      }
      if (title && other.title && !shareWord(title, other.title)) {
        return otherwise('title', `The title of ${shown(item)}`, title, other.title)
      }
    }
  }
  return null
}

/** A title may be longer in one answer than in another. */
function shareWord(one: string, other: string): boolean {
  const wordsOf = (title: string) => title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const words = new Set(wordsOf(other))
  return wordsOf(one).some((word) => words.has(word))
}

/** Its goods as `2 × mug`, in one order; null if it lists none. */
function linesText({ lines }: Session): string | null {
  if (lines === null || lines.length === 0) return null
  const pieces = new Map<string | null, number>()
  for (const { item, quantity } of lines) {
    pieces.set(item, (pieces.get(item) ?? 0) + (quantity ?? 0))
  }
  return [...pieces]
    .map(([item, quantity]) => `${quantity} × ${shown(item)}`)
    .toSorted()
    .join(', ')
}

/** Whether an update that names a line by the id of one answer means nothing to the other. */
export function lineIdsDiffer(before: Session, now: Session): SessionDifference | null {
  const idsOf = ({ lines }: Session) => lines?.flatMap(({ id }) => id ?? []).toSorted() ?? []
  const [was, is] = [idsOf(before), idsOf(now)]
  return was.length === 0 || is.length === 0 || was.join('\n') === is.join('\n')
    ? null
    : otherwise('lines', 'The ids of the lines', was.join(', '), is.join(', '))
}
