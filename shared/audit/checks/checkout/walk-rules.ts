import { handsOver } from '../../../manifest/ucp/profile.ts'
import { ACP } from '../../../protocols/acp/versions.ts'
import { EXPECTATIONS, type Expectation } from '../../../walk/expectations.ts'
import type { WalkSeen } from '../../../walk/seen.ts'
import {
  gap,
  notApplicable,
  notLookedAt,
  pass,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import type { CheckName } from '../../vocabulary.ts'
import type { GapId } from '../../words.ts'
import { OPENING, openedBefore } from '../lost-with.ts'
import { seenProfile } from '../official-profile/official-rule.ts'

/** Why a rule that only a walk can judge does not apply where none was made. */
const NO_WALK = 'only a walk shows it, and none was made'

/**
 * What a walk says of a gap: the first purchase that a store stopped in this way, or that none did.
 * Null where no walk was made, or it came to nothing that shows it.
 */
export function judgeWalk(walk: WalkSeen | null | undefined, id: string): Verdict | null {
  if (walk === null || walk === undefined) return null
  const judged = walk.judged.filter(({ expectation, protocol }) =>
    EXPECTATIONS.some((each) => each.id === expectation && each.gaps[protocol] === id),
  )
  const failures = judged.flatMap(({ failure, label }) =>
    failure?.party === 'store' ? [{ ...failure, label }] : [],
  )
  const [first] = failures
  if (first !== undefined) {
    const others = new Set(failures.slice(1).map(({ label }) => label))
    others.delete(first.label)
    const also = others.size === 0 ? '' : ` The same over ${[...others].join(', ')}.`
    return gap(`${first.label}, "${first.intent}", at "${first.step}": ${first.found}${also}`)
  }
  const held = judged.filter((each) => each.held)
  return held.length === 0
    ? null
    : pass(`walked over ${[...new Set(held.map(({ label }) => label))].join(', ')}`)
}

/** The same for a rule that nothing but a walk can judge. */
export function judgeWalkAlone(walk: WalkSeen | null, id: string): Verdict {
  if (walk === null) return notLookedAt(NO_WALK)
  const verdict = judgeWalk(walk, id)
  if (verdict !== null) return verdict
  if (walk.mode === 'look' && needsPayment(id)) {
    return notLookedAt('only a walk that pays shows it')
  }
  return walk.whole
    ? notApplicable('no purchase over what the store speaks could show it')
    : skip('the walk did not get that far')
}

/** Whether only a walk that pays can show a gap. */
export const needsPayment = (id: string): boolean =>
  expectationsOf(id).every(({ mode }) => mode === 'sandbox')

/** Whether a rule reads nothing but walks. */
export const isShownOnlyByWalk = ({ reads }: Pick<Rule, 'reads'>): boolean =>
  reads.join() === 'walk'

/** Whether a walk can show a gap, even if other evidence shows it as well. */
export const isShownByWalk = (id: string | null): boolean => expectationsOf(id).length > 0

function expectationsOf(id: string | null): Expectation[] {
  const all: readonly Expectation[] = EXPECTATIONS
  return id === null ? [] : all.filter(({ gaps }) => gaps.ucp === id || gaps.acp === id)
}

type About = Pick<RuleDefinition<'walk'>, 'id' | 'authority'>

/** A rule that nothing but a walk can judge. */
const walkRule = (check: CheckName, about: About, lostWith: readonly GapId[]): Rule =>
  rule({
    ...about,
    check,
    lostWith,
    tool: null,
    reads: ['walk'],
    audit: ({ walk }) => judgeWalkAlone(walk, about.id),
  })

/** Without a checkout that can be asked, a walk sees nothing. */
const UNREACHABLE = ['checkout_unreachable', 'checkout_redirected'] as const
const SHIPPED = [...OPENING, 'checkout_shipping_options_missing'] as const
const READY = [...SHIPPED, 'checkout_never_ready'] as const

/** What is looked at when a checkout is opened. */
const opening = (about: About & { id: (typeof OPENING)[number] }): Rule =>
  walkRule('checkout', about, [...UNREACHABLE, ...openedBefore(about.id)])

/** What a purchase comes to only after `lostWith`. */
const later = (lostWith: readonly GapId[], about: About): Rule =>
  walkRule('checkout', about, lostWith)

const CHECKOUTS = 'UCP, Checkout; ACP, Agentic Checkout; Specification, Merchant-side endpoints'

/** In the order of a purchase. */
export const walkRules: readonly Rule[] = [
  opening({
    // Spec, Common merchant faults: "Variant not found".
    id: 'checkout_variant_unavailable',
    authority: 'Specification, Common merchant faults; UCP, Catalog and Checkout',
  }),
  opening({
    id: 'checkout_lines_wrong',
    authority: CHECKOUTS,
  }),
  opening({
    id: 'checkout_totals_wrong',
    authority: 'UCP, Checkout, Totals; ACP, Agentic Checkout, Totals',
  }),
  later(SHIPPED, {
    id: 'checkout_never_ready',
    authority: 'UCP, Checkout, Status; ACP, Agentic Checkout, Status',
  }),
  later(['checkout_dry_run_failed'], {
    id: 'checkout_accepts_sold_out',
    authority: 'Specification, UCP error body and ACP errors; UCP, Checkout, Messages',
  }),
  later(OPENING, {
    id: 'checkout_abroad_fails',
    authority: CHECKOUTS,
  }),
  later(OPENING, {
    id: 'checkout_foreign_currency_fails',
    authority: 'UCP, Checkout, Context; ACP, Agentic Checkout, Create',
  }),
  later(OPENING, {
    id: 'checkout_idempotency_ignored',
    authority: 'Specification, Idempotency; UCP, REST Binding; ACP, Idempotency',
  }),
  later(OPENING, {
    id: 'checkout_not_kept',
    authority: 'UCP, Checkout, Get Checkout; ACP, Agentic Checkout, Retrieve',
  }),
  later(OPENING, {
    id: 'checkout_cancel_fails',
    authority: 'UCP, Checkout, Cancel; ACP, Agentic Checkout, Cancel',
  }),
  later(READY, {
    id: 'checkout_continue_url_missing',
    authority: 'UCP, Checkout, continue_url; ACP, Agentic Checkout, Status',
  }),
  rule({
    id: 'checkout_link_wrong',
    check: 'checkout',
    lostWith: OPENING,
    tool: null,
    authority: 'UCP, Cart, Checkout and Permalink; ACP, Agentic Checkout, continue_url',
    reads: ['walk'],
    audit: ({ walk }, { manifest }) => {
      const verdict = judgeWalkAlone(walk, 'checkout_link_wrong')
      const unopened = walk?.unopened
      // A gap that was seen before stays open while our browser fails.
      if (verdict.kind === 'pass' && unopened !== undefined) {
        return skip(`a link was not seen in a browser: ${unopened.replace(/\.$/, '')}`)
      }
      const isOnlyWay = manifest !== undefined && handsOver(seenProfile(manifest).capabilities)
      return verdict.kind === 'gap' && isOnlyWay ? gap(verdict.detail, 'cannot_buy') : verdict
    },
  }),
  later(READY, {
    id: 'checkout_complete_fails',
    authority: 'Specification, Common merchant faults; UCP, Complete Checkout; ACP, Complete',
  }),
  later(READY, {
    id: 'checkout_credential_echoed',
    authority: 'UCP, Payment, Credentials; ACP, Payment handlers, Security',
  }),
  later(READY, {
    id: 'checkout_decline_fails',
    authority: 'Specification, UCP error body and ACP errors; UCP, Payment; ACP, Messages',
  }),
  later(READY, {
    id: 'checkout_order_unreadable',
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
      id: 'acp_currency_invalid',
      authority: `ACP ${ACP.newest}, CheckoutSession and Agentic Checkout 8`,
    },
    ['acp_services_missing'],
  ),
  walkRule(
    'acp',
    {
      id: 'acp_payment_handlers_missing',
      authority: `ACP ${ACP.newest}, Payment handlers`,
    },
    ['acp_services_missing', 'acp_currency_invalid'],
  ),
]
