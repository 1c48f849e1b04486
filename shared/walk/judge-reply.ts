import { shown } from '../web/json.ts'
import type { Refusal, Session, WalkReply } from './session.ts'
import type { StepNotes } from './step-notes.ts'

/** The first call of a key is still being worked on: the same call is to be sent again. */
export const isInFlight = (reply: WalkReply): boolean =>
  reply.is === 'refused' && /in_?(?:flight|progress)/i.test(reply.refusal.code ?? '')

/** It may have been of the moment. */
export const isCrash = (reply: WalkReply): boolean =>
  reply.is === 'silent' || (reply.is === 'refused' && reply.refusal.reason === 'failed')

/** What says nothing of the store's checkout: no answer, or none for us. */
export const isOutside = (reply: WalkReply): boolean =>
  reply.is === 'silent' ||
  (reply.is === 'refused' && ['caller', 'too_many'].includes(reply.refusal.reason))

export function failOutside(reply: WalkReply, notes: StepNotes): void {
  if (reply.is !== 'refused') notes.fail('answers', replyText(reply))
  else if (reply.refusal.reason === 'caller')
    notes.fail('admits_agents', refusalWords(reply.refusal))
  else notes.fail('answers', refusalWords(reply.refusal), { party: 'agent' })
}

// Unspecified: UCP's schema lets an update leave out the id of a method, and servers made of the schema
// of answers demand it all the same, in the words of their frameworks: `fulfillment.methods.0.id`.
export const wantsDeliveryNamed = (reply: WalkReply): boolean =>
  reply.is === 'refused' &&
  reply.refusal.reason === 'invalid' &&
  /\bmethods\W{0,2}0\W{1,2}id\b/.test(reply.refusal.text ?? '')

/** Yes or no, in words. */
export const isAnswered = (reply: WalkReply): boolean =>
  reply.is === 'session' ||
  reply.is === 'order' ||
  (reply.is === 'refused' && reply.refusal.reason !== 'failed')

export const refusalWords = ({ status, code, text }: Refusal): string =>
  `${status}${code === null ? '' : ` ${code}`}${text === null ? '' : `: ${text}`}`

export const messageText = ({ code, text }: { code: string; text: string }): string =>
  text === '' ? code : text

export function replyText(reply: WalkReply): string {
  switch (reply.is) {
    case 'silent':
    case 'unreadable':
      return `${reply.why}.`
    case 'refused':
      return refusalWords(reply.refusal)
    case 'order':
      return 'It answered with an order.'
    case 'session':
      return `The checkout is ${shown(reply.session.said)}.`
  }
}

/** An agent repeats what a refusal says to its customer. */
export function judgeWords({ fault }: Refusal, notes: StepNotes, field: string): void {
  if (fault === null) notes.hold('errors_explain')
  else notes.fail('errors_explain', `The refusal ${fault}.`, { field })
}

export function judgeSame(
  reply: WalkReply,
  first: Session | null,
  notes: StepNotes,
  field: string,
): void {
  if (reply.is !== 'session') {
    notes.fail('repeats_are_one', `The repeated call was answered: ${replyText(reply)}`, { field })
  } else if (reply.session.id === first?.id) notes.hold('repeats_are_one')
  else {
    notes.fail(
      'repeats_are_one',
      `The first call opened ${shown(first?.id)}, and the same call again ${shown(reply.session.id)}.`,
      { field },
    )
  }
}

export function judgeConflict(reply: WalkReply, notes: StepNotes, field: string): void {
  if (reply.is === 'refused' && reply.refusal.reason !== 'failed') {
    notes.conclude(`The store refuses: ${refusalWords(reply.refusal)}`, field)
    notes.hold('repeats_are_one')
    judgeWords(reply.refusal, notes, field)
  } else {
    notes.fail(
      'repeats_are_one',
      reply.is === 'session'
        ? `Another basket under the same key was answered with the checkout ${shown(reply.session.id)}.`
        : `It failed instead: ${replyText(reply)}`,
      { field },
    )
  }
}
