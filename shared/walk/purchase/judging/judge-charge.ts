import { shown } from '../../../web/json/json.ts'
import type { WalkDialect } from '../../dialect.ts'
import type { Session } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { judgeTotals } from './judge-session.ts'
import { moneyText } from './reply-words.ts'

/** Judges a paid session by what the buyer was last shown before: the buyer agreed to that. */
export function judgeCharge(
  agreed: Session,
  paid: Session,
  dialect: Pick<WalkDialect, 'fields'>,
  notes: StepNotes,
): void {
  const { fields } = dialect
  if (differ(agreed.currency?.toUpperCase(), paid.currency?.toUpperCase())) {
    const found = `The buyer agreed to ${shown(agreed.currency)}, and ${shown(paid.currency)} was charged.`
    notes.fail('charged_as_agreed', found, { field: fields.currency })
    return
  }
  if (agreed.isEstimate !== true) {
    const changes = changesOf(agreed, paid)
    if (differ(agreed.total, paid.total)) {
      const found = `The buyer agreed to ${moneyText(agreed.total ?? 0, agreed.currency)}, and ${moneyText(paid.total ?? 0, paid.currency)} was charged.`
      notes.fail('charged_as_agreed', [found, ...changes].join(' '), { field: fields.total })
      return
    }
    if (changes.length > 0) {
      notes.fail('charged_as_agreed', changes.join(' '), { field: fields.total })
      return
    }
  }
  if (differ(agreed.chosen, paid.chosen)) {
    const found = `${shown(agreed.chosen)} was chosen, and it is shipped by ${shown(paid.chosen)}.`
    notes.fail('charged_as_agreed', found, { field: fields.shipping })
    return
  }
  if (differ(linesText(agreed), linesText(paid))) {
    const found = `The buyer agreed to ${linesText(agreed)}, and bought ${linesText(paid)}.`
    notes.fail('charged_as_agreed', found, { field: fields.quantity })
    return
  }
  judgeTotals(paid, { dialect }, notes)
  if (notes.failed === null) notes.hold('charged_as_agreed')
}

/** What one of the answers does not state is not compared. */
const differ = <T>(one: T | null | undefined, other: T | null | undefined): boolean =>
  one != null && other != null && one !== other

/** Amounts that are new, gone or other than agreed, each as a sentence. */
function changesOf(agreed: Session, paid: Session): string[] {
  const [before, after] = [amountsOf(agreed), amountsOf(paid)]
  if (agreed.total === null || before.size === 0 || after.size === 0) return []
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? 0, after.get(name) ?? 0]
    if (was === is) return []
    const text = moneyText(is, paid.currency)
    return before.has(name)
      ? [`${name} was ${moneyText(was, agreed.currency)}, and is ${text}.`]
      : [`${name} of ${text} came at the end.`]
  })
}

function amountsOf({ parts }: Session): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const { name, amount } of parts ?? []) amounts.set(name, (amounts.get(name) ?? 0) + amount)
  return amounts
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
