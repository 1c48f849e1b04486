import { EXPECTATIONS } from '../../../walk/expectations.ts'
import { type Rule, type RuleDefinition, rule } from '../../rule.ts'
import type { CheckName } from '../../vocabulary.ts'
import { OPENING, openedBefore } from '../lost-with.ts'
import { judgeWalkAlone } from './judge-walk.ts'

type Words = Pick<RuleDefinition<'walk'>, 'passed' | 'severity' | 'label' | 'authority'> & {
  gap: string
}

/**
 * What to change: the same as at the step where the walk stops. The first of a purchase says it for
 * all.
 */
function fixOf(id: string): string {
  const found = EXPECTATIONS.find(({ gaps }) => gaps.ucp === id || gaps.acp === id)
  if (found === undefined) throw new Error(`No expectation of a walk has the gap ${id}.`)
  return found.fix
}

/** A rule that nothing but a walk can judge. */
const walkRule = (check: CheckName, words: Words, lostWith: readonly string[]): Rule =>
  rule({
    ...words,
    fix: fixOf(words.gap),
    check,
    lostWith,
    tool: null,
    reads: ['walk'],
    audit: ({ walk }) => judgeWalkAlone(walk, words.gap),
  })

/** Without a checkout that can be asked, a walk sees nothing. */
const UNREACHABLE = ['checkout_unreachable', 'checkout_redirected'] as const
const SHIPPED = [...OPENING, 'checkout_shipping_options_missing'] as const
const READY = [...SHIPPED, 'checkout_never_ready'] as const

/** What is looked at when a checkout is opened. */
const opening = (words: Words & { gap: (typeof OPENING)[number] }): Rule =>
  walkRule('checkout', words, [...UNREACHABLE, ...openedBefore(words.gap)])
/** What a purchase comes to only after `lostWith`. */
const later = (lostWith: readonly string[], words: Words): Rule =>
  walkRule('checkout', words, lostWith)

const CHECKOUTS = 'UCP, Checkout; ACP, Agentic Checkout; Specification, Merchant-side endpoints'

/** In the order of a purchase. */
export const walkRules: readonly Rule[] = [
  opening({
    // Spec, Common merchant faults: "Variant not found".
    gap: 'checkout_variant_unavailable',
    passed: 'checkout_variants_resolve',
    severity: 'critical',
    label: 'What the catalog lists as in stock cannot be bought',
    authority: 'Specification, Common merchant faults; UCP, Catalog and Checkout',
  }),
  opening({
    gap: 'checkout_currency_mismatch',
    passed: 'checkout_currency',
    severity: 'high',
    label: 'The checkout is in another currency than the catalog',
    authority: 'Specification: "Catalog prices must match checkout prices"',
  }),
  opening({
    gap: 'checkout_lines_wrong',
    passed: 'checkout_lines',
    severity: 'high',
    label: 'The checkout does not hold what was asked for',
    authority: CHECKOUTS,
  }),
  opening({
    gap: 'checkout_totals_wrong',
    passed: 'checkout_totals',
    severity: 'high',
    label: 'The amounts in the checkout do not add up',
    authority: 'UCP, Checkout, Totals; ACP, Agentic Checkout, Totals',
  }),
  later(OPENING, {
    gap: 'checkout_shipping_options_missing',
    passed: 'checkout_shipping_options',
    severity: 'critical',
    label: 'The checkout offers no shipping',
    authority: 'UCP, Fulfillment; ACP, Fulfillment; Specification, Checkout session and order',
  }),
  later(SHIPPED, {
    gap: 'checkout_never_ready',
    passed: 'checkout_becomes_ready',
    severity: 'critical',
    label: 'The checkout never becomes ready to be paid',
    authority: 'UCP, Checkout, Status; ACP, Agentic Checkout, Status',
  }),
  later(['checkout_dry_run_failed'], {
    gap: 'checkout_accepts_sold_out',
    passed: 'checkout_refuses_sold_out',
    severity: 'high',
    label: 'The checkout accepts more than there is',
    authority: 'Specification, UCP error body and ACP errors; UCP, Checkout, Messages',
  }),
  later(OPENING, {
    gap: 'checkout_abroad_fails',
    passed: 'checkout_abroad',
    severity: 'high',
    label: 'The checkout fails for addresses that you do not ship to',
    authority: CHECKOUTS,
  }),
  later(OPENING, {
    gap: 'checkout_foreign_currency_fails',
    passed: 'checkout_foreign_currency',
    severity: 'high',
    label: 'The checkout fails when another currency is asked for',
    authority: 'UCP, Checkout, Context; ACP, Agentic Checkout, Create',
  }),
  later(OPENING, {
    gap: 'checkout_idempotency_ignored',
    passed: 'checkout_idempotency',
    severity: 'critical',
    label: 'A repeated call makes a second purchase',
    authority: 'Specification, Idempotency; UCP, REST Binding; ACP, Idempotency',
  }),
  later(OPENING, {
    // Low: the purchase works, and what nobody pays for ends by itself.
    gap: 'checkout_cancel_fails',
    passed: 'checkout_cancel',
    severity: 'low',
    label: 'A checkout cannot be cancelled, or stays open afterwards',
    authority: 'UCP, Checkout, Cancel; ACP, Agentic Checkout, Cancel',
  }),
  later(READY, {
    gap: 'checkout_continue_url_missing',
    passed: 'checkout_continue_url',
    severity: 'high',
    label: 'Where the buyer has to act, the checkout does not say where',
    authority: 'UCP, Checkout, continue_url; ACP, Agentic Checkout, Status',
  }),
  later(READY, {
    gap: 'checkout_complete_fails',
    passed: 'checkout_complete',
    severity: 'critical',
    label: 'A checkout that is ready cannot be paid',
    authority: 'Specification, Common merchant faults; UCP, Complete Checkout; ACP, Complete',
  }),
  later(READY, {
    gap: 'checkout_decline_fails',
    passed: 'checkout_declines',
    severity: 'high',
    label: 'A declined card is not reported as declined',
    authority: 'Specification, UCP error body and ACP errors; UCP, Payment; ACP, Messages',
  }),
  later(READY, {
    // Low: it is paid, and the store tells the buyer.
    gap: 'checkout_order_unreadable',
    passed: 'checkout_order',
    severity: 'low',
    label: 'An agent cannot read the order that it placed',
    authority: 'Specification, Merchant-side endpoints; UCP, Order',
  }),
]

/**
 * What is particular to ACP. Its check may run without that of checkouts, whose gaps hide nothing
 * here.
 */
export const acpWalkRules: readonly Rule[] = [
  walkRule(
    'acp',
    {
      gap: 'acp_currency_invalid',
      passed: 'acp_currency',
      severity: 'high',
      label: 'ACP sessions have an invalid currency',
      authority: 'ACP 2026-04-17, CheckoutSession and Agentic Checkout 8',
    },
    ['acp_services_missing'],
  ),
  walkRule(
    'acp',
    {
      gap: 'acp_payment_handlers_missing',
      passed: 'acp_payment_handlers',
      severity: 'high',
      label: 'ACP sessions name no way to pay',
      authority: 'ACP 2026-04-17, Payment handlers',
    },
    ['acp_services_missing', 'acp_currency_invalid'],
  ),
]
