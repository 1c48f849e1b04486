/** The result of a payment. */
export type Behaviour =
  | 'pay'
  | 'decline'
  | 'slow'
  | 'pend'
  | 'pend_and_fail'
  | 'error'
  | 'lose'
  | 'challenge'
  | 'challenge_in_app'

interface TestToken {
  token: string
  behaviour: Behaviour
  /** The behaviour of the token, for people. */
  effect: string
}

const token = (name: string, behaviour: Behaviour, effect: string): TestToken => ({
  token: name,
  behaviour,
  effect,
})

/** All tokens that the test PSP knows: nothing else pays. */
export const TEST_TOKENS: readonly TestToken[] = [
  token('tok_visa', 'pay', 'Pays.'),
  token('tok_mastercard', 'pay', 'Pays.'),
  token('pm_card_visa', 'pay', "Pays. Also known to Stripe's own test mode."),
  token('success_token', 'pay', 'Pays. Conformance suites of UCP use it.'),
  token('tok_declined', 'decline', 'Is declined.'),
  token('fail_token', 'decline', 'Is declined. Conformance suites of UCP use it.'),
  token('tok_pending', 'pend', 'Is pending, and succeeds later: a webhook says so.'),
  token('tok_pending_failed', 'pend_and_fail', 'Is pending, and fails later: a webhook says so.'),
  token(
    'tok_3ds',
    'challenge',
    "Pays with the result of a 3DS authentication, or once the buyer approves it on the test bank's page. Is declined where neither is possible.",
  ),
  token(
    'tok_3ds_in_app',
    'challenge_in_app',
    'Pays with the result of a 3DS authentication. Otherwise it is declined, because this bank has no page for its challenge.',
  ),
  token('tok_slow', 'slow', 'Pays, but answers later than an agent waits.'),
  token('tok_error', 'error', 'Fails once with status 500, and takes no money. Then it pays.'),
  token('tok_lost', 'lose', 'Pays, but drops the connection in place of an answer.'),
  token('tok_refund_pending', 'pay', 'Pays. Its refunds are pending, and succeed later.'),
  token('tok_refund_failed', 'pay', 'Pays. Its refunds fail.'),
  token('tok_refund_error', 'pay', 'Pays. Its refunds fail once with status 500, then succeed.'),
  token(
    'tok_refund_lost',
    'pay',
    'Pays. Its refunds succeed, but drop the connection in place of an answer.',
  ),
]

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map(
  TEST_TOKENS.map((each) => [each.token, each.behaviour]),
)

/** Undefined for a token that is not in the table. */
export const behaviourOf = (sent: string): Behaviour | undefined => BEHAVIOURS.get(sent)

/**
 * The card numbers that may be delegated, each with the token that it behaves like. Stripe's own
 * test number if there is one.
 */
export const TEST_CARDS: readonly { number: string; token: string }[] = [
  { number: '4242424242424242', token: 'tok_visa' },
  { number: '5555555555554444', token: 'tok_mastercard' },
  { number: '4000000000000002', token: 'tok_declined' },
  { number: '4000002760003184', token: 'tok_3ds' },
  { number: '4000000000001109', token: 'tok_pending' },
  { number: '4000000000001208', token: 'tok_pending_failed' },
  { number: '4000000000001307', token: 'tok_error' },
  { number: '4000000000001406', token: 'tok_lost' },
  { number: '4000000000007726', token: 'tok_refund_pending' },
  { number: '4000000000005126', token: 'tok_refund_failed' },
]
