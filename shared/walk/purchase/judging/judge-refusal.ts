import type { ExpectationId } from '../../expectations.ts'
import type { Refusal, WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { refusalWords, replyText } from './reply-words.ts'

/** Fails for an answer that says nothing about the store's checkout (`isOutside`). */
export function failOutside(reply: WalkReply, notes: StepNotes): void {
  if (reply.is !== 'refused') notes.fail('answers', replyText(reply))
  else if (reply.refusal.reason === 'caller')
    notes.fail('admits_agents', refusalWords(reply.refusal))
  else notes.fail('answers', refusalWords(reply.refusal), { party: 'agent' })
}

/** Passes an expectation that a refusal meets, and checks the refusal's words. */
export function holdRefused(
  refusal: Refusal,
  met: ExpectationId,
  notes: StepNotes,
  field: string,
): void {
  notes.conclude(`The store refuses: ${refusalWords(refusal)}`, field)
  notes.hold(met)
  judgeWords(refusal, notes, field)
}

/** An agent repeats a refusal's words to its customer. */
export function judgeWords({ fault }: Refusal, notes: StepNotes, field: string): void {
  if (fault === null) notes.hold('errors_explain')
  else
    notes.fail('errors_explain', `The refusal ${fault.problem}.`, { field: fault.field ?? field })
}
