import {
  type Charge,
  type ChargeResult,
  type Psp,
  type PspRefund,
  type RefundResult,
  RefusedDelivery,
} from '../psp.ts'

/**
 * `tok_3ds` wants an authentication: the agent's own, or a challenge where the buyer can be sent.
 */
function resultOf(charge: Charge, paymentId: string): ChargeResult {
  const { token, amount, returnUrl, authentication } = charge
  if (token.endsWith('declined')) {
    return { status: 'declined', paymentId, message: 'Your card was declined.' }
  }
  if (token === 'tok_3ds' && authentication === undefined) {
    return returnUrl === undefined
      ? {
          status: 'declined',
          paymentId,
          message: 'The bank wants you to confirm this payment.',
          needsAuthentication: true,
        }
      : { status: 'pending', paymentId, amount, challengeUrl: 'https://bank.example/challenge' }
  }
  return { status: token === 'tok_pending' ? 'pending' : 'succeeded', paymentId, amount }
}

/** A PSP in memory: the token says what becomes of a charge. For tests of the store's own logic. */
export function scriptedPsp(now: () => Date) {
  const charges: (Charge & { result: ChargeResult; made: Date })[] = []
  const calls: Charge[] = []
  const held: (() => void)[] = []
  const refunds: (PspRefund & { result: RefundResult })[] = []

  const refundOf = (key: string) => refunds.find(({ idempotencyKey }) => idempotencyKey === key)

  const chargeOf = (paymentId: string) => {
    const found = charges.find(({ result }) => result.paymentId === paymentId)
    if (found === undefined) throw new Error(`There is no payment ${paymentId}.`)
    return found
  }

  const make = (charge: Charge): ChargeResult => {
    const known = charges.find(({ idempotencyKey }) => idempotencyKey === charge.idempotencyKey)
    if (known) {
      const isSame = known.token === charge.token && known.amount.amount === charge.amount.amount
      if (!isSame) throw new Error('The key was used for another charge.')
      return known.result
    }
    const paymentId = `pay_${charges.length + 1}`
    const result = resultOf(charge, paymentId)
    charges.push({ ...charge, result, made: now() })
    return result
  }
  const psp: Psp = {
    name: 'scripted',
    methods: ['card'],
    async charge(charge) {
      calls.push(charge)
      if (charge.token === 'tok_unreachable') throw new Error('Nobody is there.')
      if (charge.token.startsWith('tok_held'))
        await new Promise<void>((resolve) => held.push(resolve))
      const result = make(charge)
      if (charge.token === 'tok_lost') throw new Error('The answer was lost.')
      return result
    },
    find: async ({ idempotencyKey, since }) =>
      charges.find((charge) => charge.idempotencyKey === idempotencyKey && charge.made >= since)
        ?.result ?? null,
    async abandon(paymentId) {
      const charge = chargeOf(paymentId)
      if (charge.result.status === 'pending' && charge.result.challengeUrl !== undefined) {
        charge.result = { status: 'declined', paymentId, message: 'It was given up.' }
      }
      const isGivenUp = charge.result.status === 'declined'
      return { ...charge.result, isGivenUp }
    },
    async refund(refund) {
      const known = refundOf(refund.idempotencyKey)
      if (known) return known.result
      const refundId = `re_${refunds.length + 1}`
      const result = { status: 'succeeded', refundId } as const
      refunds.push({ ...refund, result })
      return result
    },
    findRefund: async ({ idempotencyKey }) => refundOf(idempotencyKey)?.result ?? null,
    readDelivery: () => Promise.reject(new RefusedDelivery('This PSP sends nothing.')),
  }
  return {
    psp,
    /** Charges that were made, declined ones among them. */
    charges,
    /** Refunds that were made. */
    refunds,
    /** Calls, whatever became of them. */
    calls,
    /** What money was taken for. */
    paid: () => charges.filter(({ result }) => result.status !== 'declined'),
    /** The buyer passes the challenge of a payment, unless it was given up. */
    pass: (paymentId: string): ChargeResult => {
      const charge = chargeOf(paymentId)
      if (charge.result.status === 'pending') {
        charge.result = { status: 'succeeded', paymentId, amount: charge.amount }
      }
      return charge.result
    },
    /** Lets charges with the tokens `tok_held` and `tok_held_declined` go on. */
    releaseHeld: () => {
      for (const resolve of held.splice(0)) resolve()
    },
  }
}
