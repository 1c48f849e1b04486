import { formatMoney, Money } from '../../../commerce/product.ts'
import { requiresAccount } from '../../../manifest/inspect.ts'
import {
  CLOCK_SLACK_MS,
  MAX_CREATE_MS,
  MIN_LIFE_MS,
  SESSION_MINUTES,
  UcpCart,
} from '../../../protocols/spec/ucp.ts'
import { type Answer, describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { excerpt, jsonOf, presenceOf } from '../../../web/http/presence.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { CheckoutSeen, Evidence } from '../../evidence.ts'
import {
  gap,
  NEEDS_SESSION,
  notApplicable,
  otherDialect,
  pass,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import { OPENING, openedBefore, WITHOUT_ENDPOINT, WITHOUT_MANIFEST } from '../lost-with.ts'
import {
  acpInstead,
  errorBodyFault,
  hasUcpCode,
  isRedirect,
  NEEDS_ACP_SESSION,
  reachedOverAcp,
  refusalCode,
  rejectionOf,
  whenCart,
} from './answers.ts'
import { judgeWalk } from './walk-rules.ts'

const SPEC = 'Specification, Merchant-side UCP endpoints'
const LIMITS = 'Specification, Limits'
const ERRORS = 'Specification, UCP error body'

/** No buyer agrees to an order and pays it in less. */
const OVER_AT_ONCE_MS = 60_000

/** What hides the price of a product in the catalog. */
const WITHOUT_LISTED_PRICE = [
  'catalog_price_not_integer',
  'catalog_currency_invalid',
  'catalog_product_fields_invalid',
  'catalog_variants_invalid',
] as const

type About = Pick<RuleDefinition<'checkout'>, 'id' | 'lostWith' | 'authority'>

/** All rules of this check read only the checkout; none of our tools fixes them. */
const checkoutRule = (
  about: About,
  audit: (checkout: CheckoutSeen, beside: Partial<Evidence>) => Verdict,
): Rule =>
  rule({
    ...about,
    dialect: 'specification',
    check: 'checkout',
    tool: null,
    reads: ['checkout'],
    audit: ({ checkout }, beside) => otherDialect(checkout.create) ?? audit(checkout, beside),
  })

/** Why a store that sells only over ACP has no dry run; null in all others. */
const overAcp = (checkout: CheckoutSeen, beside: Partial<Evidence>): Verdict | null =>
  acpInstead(checkout, beside) === null ? null : skip(NEEDS_ACP_SESSION)

/** What a dry run shows, and what a walk does where there was one: the worse of both counts. */
function withWalk(own: Verdict, { walk }: Partial<Evidence>, id: string): Verdict {
  const walked = judgeWalk(walk, id)
  if (walked === null) {
    // Where all was walked and nothing shows it, nothing could.
    const needsSession =
      own.kind === 'skip' && [NEEDS_SESSION, NEEDS_ACP_SESSION].includes(own.reason)
    return needsSession && walk?.whole === true
      ? notApplicable('no purchase over what the store speaks could show it')
      : own
  }
  if (own.kind === 'gap') return own
  return own.kind === 'pass' && walked.kind !== 'gap' ? own : walked
}

/**
 * A rule about a cart in any dialect: where neither a dry run nor a walk shows one, it is unknown.
 */
const cartRule = (about: About, audit: (checkout: CheckoutSeen) => Verdict): Rule =>
  rule({
    ...about,
    check: 'checkout',
    tool: null,
    reads: ['checkout'],
    audit: ({ checkout }, beside) =>
      withWalk(
        otherDialect(checkout.create) === null
          ? (overAcp(checkout, beside) ?? audit(checkout))
          : skip(NEEDS_SESSION),
        beside,
        about.id,
      ),
  })

/**
 * A rule for a cart that a store must reject; it is judged only where a right cart is accepted,
 * since a store that refuses everything proves nothing. `sent` names the fault of the cart.
 */
const mustRefuse = (about: About, seen: (checkout: CheckoutSeen) => JsonSeen, sent: string): Rule =>
  cartRule(about, (checkout) =>
    whenCart(checkout, () => {
      const refusal = rejectionOf(seen(checkout))
      if (typeof refusal === 'string') return skip(refusal)
      return refusal.kind === 'refused'
        ? pass()
        : gap(
            `A cart with ${sent} was answered ${refusal.answer.status}: ${excerpt(refusal.answer)}`,
          )
    }),
  )

/**
 * A rule about refusals: official dialects have rules of their own, and a walk meets more of them.
 */
const refusalRule = (about: About, audit: (checkout: CheckoutSeen) => Verdict): Rule =>
  rule({
    ...about,
    dialect: 'specification',
    check: 'checkout',
    tool: null,
    reads: ['checkout'],
    audit: ({ checkout }, beside) =>
      withWalk(
        otherDialect(checkout.create) ?? overAcp(checkout, beside) ?? audit(checkout),
        beside,
        about.id,
      ),
  })

/** From reaching the checkout to the details of what it answers. */
export const checkoutRules: readonly Rule[] = [
  checkoutRule(
    {
      // Spec, Authentication: "All checkout endpoints are served over HTTPS". We send nothing
      // there.
      id: 'checkout_not_https',
      lostWith: ['https_missing', ...WITHOUT_ENDPOINT, 'checkout_undeclared'],
      authority: 'Specification, Authentication 8',
    },
    ({ endpoint, create }) => {
      if (endpoint === null) return skip(describeFetch(create.fetched))
      if (!endpoint.declared) return skip('no manifest declares a checkout')
      return endpoint.url.startsWith('https:')
        ? pass()
        : gap(
            `The manifest sends agents to ${endpoint.url}, where payment data would be sent unencrypted.`,
          )
    },
  ),
  checkoutRule(
    {
      // A 401, 403 or 429 may concern only us, so that it is skipped; a 404 or 405 is certain.
      id: 'checkout_unreachable',
      lostWith: [
        ...WITHOUT_MANIFEST,
        'checkout_redirected',
        'checkout_not_https',
        'checkout_undeclared',
        'catalog_empty',
        'catalog_product_fields_invalid',
      ],
      authority: SPEC,
    },
    (checkout, beside) => {
      const { create, endpoint } = checkout
      const presence = presenceOf(create.fetched)
      // An agent that reads this does not even ask.
      if (
        endpoint?.declared === true &&
        requiresAccount(beside.manifest && jsonOf(beside.manifest))
      ) {
        return gap(
          `The manifest says "requires_authentication": true for ${endpoint.url}, and agents have no account with the store; expected false. ${describeFetch(create.fetched)}.`,
        )
      }
      if (presence.is === 'present' || hasUcpCode(create)) return pass()
      const sales = acpInstead(checkout, beside)
      if (sales !== null) return reachedOverAcp(sales, presence.why)
      const { fetched } = create
      const whose = endpoint?.declared ? '' : 'No manifest declares a checkout: '
      const missing = gap(`${whose}${presence.why}.`)
      if (fetched.kind !== 'answer') {
        return presence.is === 'unreachable' ? missing : skip(presence.why)
      }
      const { status } = fetched
      if (isRedirect(fetched)) return skip(presence.why)
      if (status === 404 || status === 410 || status < 400) return missing
      // With nothing to put into a cart, a safe request was sent: even an error shows an endpoint.
      if (status === 405) return fetched.method === 'POST' ? missing : pass()
      return [401, 403, 429].includes(status) ? skip(presence.why) : pass()
    },
  ),
  checkoutRule(
    {
      // Frameworks redirect /checkout/ to /checkout, or the reverse; agents do not repeat a POST
      // elsewhere.
      id: 'checkout_redirected',
      lostWith: ['checkout_unreachable', 'catalog_empty', 'catalog_product_fields_invalid'],
      authority: 'UCP, trailing slashes (field reports of 307 answers)',
    },
    ({ create: { fetched } }) => {
      if (fetched.kind !== 'answer' || fetched.method !== 'POST') {
        return skip(describeFetch(fetched))
      }
      return isRedirect(fetched)
        ? gap(`${describeFetch(fetched)}: agents do not send a cart to another address.`)
        : pass()
    },
  ),
  cartRule(
    {
      // Spec, Common merchant faults: "Missing PSP credentials or invalid payment token" behind a
      // 500. A refused address or empty stock is not the store's fault.
      id: 'checkout_dry_run_failed',
      lostWith: [
        'ucp_not_shoppable',
        'ucp_endpoint_unreachable',
        'checkout_unreachable',
        'checkout_redirected',
        'catalog_empty',
        'catalog_product_fields_invalid',
        ...openedBefore('checkout_dry_run_failed'),
      ],
      authority: SPEC,
    },
    ({ create, item }) => {
      const { fetched } = create
      const reply = rejectionOf(create)
      // With nothing to put into a cart, a safe request was sent instead.
      if (typeof reply === 'string' || reply.answer.method !== 'POST') {
        return skip(describeFetch(fetched))
      }
      const { kind, answer } = reply
      if (kind === 'accepted') {
        if (jsonOf(create) !== undefined) return pass()
        return answer.truncated
          ? skip(`${answer.url} is too large to be read completely`)
          : gap(
              `${describeFetch(fetched)} to a dry run of one ${shown(item?.name)}, without a cart that can be read as JSON: ${shown(excerpt(answer))}`,
            )
      }
      const code = refusalCode(create)
      if (code === 'invalid_address' || code === 'out_of_stock') {
        return skip(`the store answers ${shown(code)} to our sample: ${excerpt(answer)}`)
      }
      // These are about the address, the caller or the moment, unless the code is about the cart.
      const elsewhere = [401, 403, 404, 405, 410, 502, 503, 504].includes(answer.status)
      if ((elsewhere || isRedirect(answer)) && !hasUcpCode(create))
        return skip(describeFetch(fetched))
      return gap(
        `${describeFetch(fetched)} to a dry run of one ${shown(item?.name)}: ${excerpt(answer)}`,
      )
    },
  ),
  cartRule(
    {
      // `expires_at` has a rule of its own.
      id: 'checkout_invalid_shape',
      lostWith: openedBefore('checkout_invalid_shape'),
      authority: 'Specification, UCP cart response',
    },
    (checkout) =>
      whenCart(checkout, (cart, answer) => {
        const issues = (UcpCart.safeParse(cart).error?.issues ?? []).filter(
          ({ path }) => path[0] !== 'expires_at',
        )
        const problems = issues.slice(0, 4).map(({ path, message }) => {
          return `${path.join('.') || 'the cart'}: ${message}`
        })
        return problems.length === 0
          ? pass()
          : gap(`${problems.join('; ')}. The cart: ${excerpt(answer)}`)
      }),
  ),
  cartRule(
    {
      id: 'checkout_slow',
      lostWith: openedBefore('checkout_slow'),
      authority: LIMITS,
    },
    (checkout) =>
      whenCart(checkout, (_, { ms, lag_ms = 0, url }) => {
        if (ms > MAX_CREATE_MS) return gap(`${url} took ${(ms / 1000).toFixed(1)} s, at most 3 s.`)
        // Which part of that the store needed is not known.
        return ms + lag_ms > MAX_CREATE_MS
          ? skip('the machine of this audit was too busy to tell how long the store took')
          : pass()
      }),
  ),
  cartRule(
    {
      // An agent can neither convert the price nor agree to money that it was not asked for.
      id: 'checkout_currency_mismatch',
      lostWith: [...openedBefore('checkout_currency_mismatch'), ...WITHOUT_LISTED_PRICE],
      authority: SPEC,
    },
    (checkout) =>
      whenPriced(checkout, ({ name, listed, charged }) =>
        listed.currency === charged.currency
          ? pass()
          : gap(
              `One ${shown(name)} costs ${formatMoney(listed)} in the catalog, but the subtotal is in ${charged.currency}: ${formatMoney(charged)}.`,
            ),
      ),
  ),
  cartRule(
    {
      // Spec: "Catalog prices must match checkout prices". The cart holds one piece of one product.
      id: 'checkout_price_mismatch',
      lostWith: [...openedBefore('checkout_price_mismatch'), ...WITHOUT_LISTED_PRICE],
      authority: SPEC,
    },
    (checkout) =>
      whenPriced(checkout, ({ name, listed, charged }) => {
        if (listed.currency !== charged.currency) return skip('the two prices are in other money')
        return listed.amount === charged.amount
          ? pass()
          : gap(
              `One ${shown(name)} costs ${formatMoney(listed)} in the catalog, but the subtotal is ${formatMoney(charged)}.`,
            )
      }),
  ),
  cartRule(
    {
      // Unspecified: a list of no options is a gap although the goods may be digital: an agent that
      // has asked the buyer for an address waits for a way to ship.
      id: 'checkout_shipping_options_missing',
      lostWith: OPENING,
      authority: 'UCP, Fulfillment; ACP, Fulfillment; Specification, UCP cart response',
    },
    (checkout) =>
      whenCart(checkout, (cart) => {
        const options = field(cart, 'shipping_options')
        if (!Array.isArray(options)) return skip('the cart has no list of shipping options')
        return options.length > 0
          ? pass()
          : gap('The cart has a complete address, and its shipping_options are empty.')
      }),
  ),
  mustRefuse(
    {
      // Spec, UCP error body: `invalid_address`. An order that cannot be delivered is noticed too
      // late.
      id: 'checkout_accepts_invalid_address',
      lostWith: ['checkout_dry_run_failed'],
      authority: ERRORS,
    },
    ({ invalid_address }) => invalid_address,
    'the country "ZZ" and no street',
  ),
  mustRefuse(
    {
      // Spec, Common merchant faults: "Variant not found". A store that ignores the id sells
      // something else.
      id: 'checkout_accepts_unknown_variant',
      lostWith: ['checkout_dry_run_failed'],
      authority: SPEC,
    },
    ({ unknown_variant }) => unknown_variant,
    'an unknown variant_id',
  ),
  refusalRule(
    {
      id: 'checkout_error_body_invalid',
      lostWith: ['checkout_accepts_invalid_address', 'checkout_accepts_unknown_variant'],
      authority: ERRORS,
    },
    (checkout) =>
      whenCart(checkout, () => {
        const { invalid_address, unknown_variant } = checkout
        const judged = [invalid_address, unknown_variant].filter((seen) => {
          const refusal = rejectionOf(seen)
          return typeof refusal !== 'string' && refusal.kind === 'refused'
        })
        if (judged.length === 0) return skip('no request was rejected')
        const faults = [
          errorBodyFault(invalid_address, 'invalid_address'),
          errorBodyFault(unknown_variant),
        ].filter((fault) => fault !== null)
        return faults.length === 0 ? pass() : gap(`${faults.join('; ')}.`)
      }),
  ),
  cartRule(
    {
      id: 'checkout_expiry_invalid',
      lostWith: openedBefore('checkout_expiry_invalid'),
      authority: LIMITS,
    },
    (checkout) =>
      whenCart(checkout, (cart, answer) => {
        const raw = field(cart, 'expires_at')
        const life = lifeOf(raw, checkout, answer)
        if (life === null) {
          return UcpCart.safeParse(cart).error?.issues.some(({ path }) => path[0] !== 'expires_at')
            ? skip('the cart lacks other required fields')
            : gap(`expires_at is ${shown(raw)}, expected an ISO 8601 timestamp.`)
        }
        return life >= MIN_LIFE_MS
          ? pass()
          : gap(
              `expires_at is ${shown(raw)}, ${minutes(life)} minutes from now.`,
              life < OVER_AT_ONCE_MS ? 'cannot_buy' : undefined,
            )
      }),
  ),
  checkoutRule(
    {
      id: 'checkout_expires_late',
      lostWith: ['checkout_expiry_invalid'],
      authority: LIMITS,
    },
    (checkout) =>
      whenCart(checkout, (cart, answer) => {
        const raw = field(cart, 'expires_at')
        const life = lifeOf(raw, checkout, answer)
        if (life === null) return skip('the cart does not say when it expires')
        return life <= SESSION_MINUTES.max * 60_000 + CLOCK_SLACK_MS
          ? pass()
          : gap(`expires_at is ${shown(raw)}, ${minutes(life)} minutes from now.`)
      }),
  ),
]

/** The price of the product in the catalog and the subtotal of one piece of it. */
interface Prices {
  name: string
  listed: Money
  charged: Money
}

const whenPriced = (checkout: CheckoutSeen, audit: (prices: Prices) => Verdict): Verdict =>
  whenCart(checkout, (cart) => {
    const { item } = checkout
    const subtotal = Money.safeParse(field(cart, 'subtotal'))
    if (!item?.price || !subtotal.success) return skip('there are no two prices to compare')
    return audit({ name: item.name, listed: item.price, charged: subtotal.data })
  })

/**
 * Milliseconds from when the cart was answered until it expires; null for what is not a timestamp.
 */
function lifeOf(expiresAt: unknown, { asked_at }: CheckoutSeen, { ms }: Answer): number | null {
  const expires = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return Number.isNaN(expires) ? null : expires - (Date.parse(asked_at) + ms)
}

const minutes = (ms: number): number => Math.round(ms / 60_000)
