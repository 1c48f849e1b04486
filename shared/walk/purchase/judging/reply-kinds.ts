import { isRefusedFor, type WalkReply } from '../../session.ts'

/** Yes or no, in words. */
export const isAnswered = (reply: WalkReply): boolean =>
  reply.is === 'session' ||
  reply.is === 'order' ||
  (reply.is === 'refused' && reply.refusal.reason !== 'failed')

/** What says nothing of the store's checkout: no answer, or none for us. */
export const isOutside = (reply: WalkReply): boolean =>
  reply.is === 'silent' || isRefusedFor(reply, 'caller', 'too_many')

/** It may have been of the moment. */
export const isCrash = (reply: WalkReply): boolean =>
  reply.is === 'silent' || isRefusedFor(reply, 'failed')

/** The first call of a key is still being worked on: the same call is to be sent again. */
export const isInFlight = (reply: WalkReply): boolean =>
  reply.is === 'refused' && /in_?(?:flight|progress)/i.test(reply.refusal.code ?? '')

// Unspecified: UCP's schema lets an update leave out the id of a method, and servers made of the
// schema of answers demand it all the same, in the words of their frameworks:
// `fulfillment.methods.0.id`.
export const wantsDeliveryNamed = (reply: WalkReply): boolean =>
  reply.is === 'refused' &&
  reply.refusal.reason === 'invalid' &&
  /\bmethods\W{0,2}0\W{1,2}id\b/.test(reply.refusal.text ?? '')
