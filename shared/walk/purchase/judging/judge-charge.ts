import type { WalkDialect } from '../../dialect.ts'
import type { Session } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { differenceOf } from './compare-sessions.ts'
import { judgeTotals } from './judge-session.ts'

/** Judges a paid session by what the buyer was last shown before: the buyer agreed to that. */
export function judgeCharge(
  agreed: Session,
  paid: Session,
  dialect: Pick<WalkDialect, 'fields'>,
  notes: StepNotes,
): void {
  const difference = differenceOf(agreed, paid)
  if (difference !== null) {
    const { fact, found } = difference
    notes.fail('charged_as_agreed', found, { field: dialect.fields[fact] })
    return
  }
  judgeTotals(paid, { dialect }, notes)
  if (notes.failed === null) notes.hold('charged_as_agreed')
}

/**
 * What a buyer agrees to by paying. A dialect without a choice of shipping adds it up: the parts
 * that it has stated, and the option that is paid for.
 */
export function agreedIn(session: Session, option: string | null): Session {
  const { total, parts, shipping } = session
  const chosen = shipping.find(({ id }) => id === option)
  if (total !== null || parts === null || chosen === undefined || chosen.cost === null) {
    return session
  }
  const sum = parts.reduce((all, { amount }) => all + amount, chosen.cost)
  return { ...session, total: sum }
}
