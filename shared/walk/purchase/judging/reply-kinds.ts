import { isRefusedFor, type WalkReply } from '../../session.ts'

/** An acceptance or a refusal, in words. */
export const isAnswered = (reply: WalkReply): boolean =>
  reply.is === 'session' ||
  reply.is === 'order' ||
  (reply.is === 'refused' && reply.refusal.reason !== 'failed')

/** Says nothing about the store's checkout: no answer, or the caller was not admitted. */
export const isOutside = (reply: WalkReply): boolean =>
  reply.is === 'silent' || isRefusedFor(reply, 'caller', 'too_many')

/** It may have been temporary. */
export const isCrash = (reply: WalkReply): boolean =>
  reply.is === 'silent' || isRefusedFor(reply, 'failed')

/** The first call of a key is still in progress: send the same call again. */
export const isInFlight = (reply: WalkReply): boolean =>
  reply.is === 'refused' && /in_?(?:flight|progress)/i.test(reply.refusal.code ?? '')

// Unspecified: UCP's schema lets an update leave out the id of a method. Servers made from the
// schema of answers demand it all the same, with their framework's message:
// `fulfillment.methods.0.id`.
export const wantsDeliveryNamed = (reply: WalkReply): boolean =>
  reply.is === 'refused' &&
  reply.refusal.reason === 'invalid' &&
  /\bmethods\W{0,2}0\W{1,2}id\b/.test(reply.refusal.text ?? '')
