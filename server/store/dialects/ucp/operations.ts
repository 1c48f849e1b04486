import * as z from 'zod'
import { CART, CHECKOUT, LOOKUP, ORDER, SEARCH } from '../../../../shared/protocols/ucp/names.ts'
import { describeIssues } from '../../../../shared/web/json/field-errors.ts'
import { field, isRecord, withoutNulls } from '../../../../shared/web/json/json.ts'
import { cardRefusal, OpaqueId } from '../../checkout/caller.ts'
import { answerChange, answerOnce, type SentAnswer } from '../../checkout/idempotency.ts'
import { KEY_CONFLICT, TOO_MANY_CHANGES } from '../../checkout/refusals.ts'
import { completionScope } from '../../checkout/sessions.ts'
import { OFFICIAL_UCP } from '../../db/statuses.ts'
import { inventoryOfIds, readInventory } from '../../shop/inventory.ts'
import { cancelUcpCart, createUcpCart, getUcpCart, updateUcpCart } from './cart.ts'
import { LookupRequest, lookup, SearchRequest, search, tooManyIds } from './catalog/catalog.ts'
import { ProductRequest, productDetail } from './catalog/product-detail.ts'
import {
  cancelUcpCheckout,
  completeUcpCheckout,
  createUcpCheckout,
  getUcpCheckout,
  type UcpContext,
  updateUcpCheckout,
} from './checkout.ts'
import { CartRequest, CheckoutRequest, UcpCreateRequest } from './checkout-request.ts'
import { protocolError, refusedCall, Text, type UcpResult, ucpFailure } from './envelope.ts'
import { knownProfile, type UcpCallContext } from './negotiation/caller.ts'
import { getUcpOrder } from './order.ts'
import { UcpCompleteRequest } from './profile/payment-handlers.ts'

/** One operation of UCP, over REST or MCP. */
export interface Operation {
  description: string
  /** Its arguments, as the tool of its name takes them. */
  input: z.ZodObject
  /** Its capability: without it the operation does not exist. */
  root: string
  /** Over MCP it demands an idempotency key. */
  needsKey: boolean
  /** Answers 400 if these are not its arguments. */
  call: (context: UcpCallContext, given: unknown) => Promise<UcpResult>
}

/** What a tool call carries in addition to its arguments, as the tools declare it. */
const declaredMeta = (needsKey: boolean) =>
  z.looseObject({
    'ucp-agent': z
      .looseObject({ profile: z.string() })
      .describe('profile: the https URL of your UCP profile'),
    'idempotency-key': needsKey ? OpaqueId : OpaqueId.optional(),
  })

/** The extra parts of an operation that changes something. */
interface Changing<Given> {
  /** Names the scope of its keys. */
  scope: (context: UcpCallContext, given: Given) => string
  needsKey?: boolean
  /**
   * It opens a checkout or cart and counts towards the quota; other calls count for the checkout
   * that they change.
   */
  opens?: boolean
  /** It looks its key up while its session is locked. */
  looksUpKey?: boolean
}

function operation<Shape extends z.ZodRawShape>(
  root: string,
  description: string,
  shape: Shape,
  answer: (
    context: UcpContext,
    given: z.output<z.ZodObject<Shape>>,
  ) => UcpResult | Promise<UcpResult>,
  changing?: Changing<z.output<z.ZodObject<Shape>>>,
): Operation {
  const input = z.object(shape)
  const needsKey = changing?.needsKey ?? false
  return {
    description,
    input: z.object({ meta: declaredMeta(needsKey), ...shape }),
    root,
    needsKey,
    call: async (context, given) => {
      if (!context.negotiated.capabilities.has(root)) return incompatible(context, root)
      // Unspecified: null for an optional member is the same as none, as in the other dialects.
      const read = input.safeParse(withoutNulls(input, given))
      if (!read.success) return unreadableArguments(read.error)
      const card = changing && cardRefusal(withoutAttribution(read.data))
      if (card) return protocolError(400, 'invalid_request', card.detail ?? card.message)
      const { keyed, ...rest } = context
      if (keyed === null || changing === undefined)
        return answer({ ...rest, keyed: null }, read.data)
      const call = { ...keyed, scope: changing.scope(context, read.data) }
      return once(changing, context, call, async (looked) =>
        answer({ ...rest, keyed: looked }, read.data),
      )
    },
  }
}

/**
 * The arguments that could be stored or shown again: attribution is not, and must not change an
 * answer.
 */
function withoutAttribution(given: object): object {
  const checkout = field(given, 'checkout')
  return isRecord(checkout) ? { ...given, checkout: { ...checkout, attribution: null } } : given
}

/**
 * The stored or new answer for the key of a call: of every success, and of refusals too (UCP,
 * Idempotency).
 */
async function once(
  { opens, looksUpKey }: Pick<Changing<never>, 'opens' | 'looksUpKey'>,
  { deps }: UcpCallContext,
  keyed: NonNullable<UcpContext['keyed']>,
  work: (keyed: UcpContext['keyed']) => Promise<UcpResult>,
): Promise<UcpResult> {
  const toSent = ({ of, isPassing = false, ...said }: UcpResult): SentAnswer => ({
    status: said.status,
    text: JSON.stringify(said),
    isKept: said.fault === undefined && !isPassing,
    ...(of && { of }),
  })
  const way = looksUpKey ? answerChange : answerOnce
  const sent = await way(deps, keyed, async (looked) => toSent(await work(looked)), {
    conflict: () => toSent(refusedCall(KEY_CONFLICT)),
    ...(!opens && {
      full: (retryAfter) => toSent(refusedCall({ ...TOO_MANY_CHANGES, retryAfter })),
    }),
  })
  const result: UcpResult = JSON.parse(sent.text)
  return sent.replayed ? { ...result, replayed: true } : result
}

/** The request is valid, but the two sides cannot do this together. */
const incompatible = (context: UcpCallContext, root: string): UcpResult =>
  ucpFailure(
    context,
    'capabilities_incompatible',
    `Your profile does not have ${root} in version ${context.negotiated.version}.`,
  )

/** UCP's protocol error for invalid arguments: flat, with HTTP 400 over REST. */
function unreadableArguments({ issues }: z.ZodError): UcpResult {
  const wrong = describeIssues(issues, (path, message) => {
    // Over REST the argument is the body, and has no name.
    const name = path.replace(/^(catalog|checkout|cart)\.?/, '')
    return `${name || 'the body'}: ${message}`
  })
  return protocolError(400, 'invalid_request', `Fix and send again: ${wrong}.`)
}

/** The context of a catalog call: with the whole inventory, or with the products of these ids. */
const stocked = async (context: UcpContext, ids?: readonly string[]) => {
  const { request, deps } = context
  const inventory = ids ? await inventoryOfIds(deps.db, ids) : await readInventory(deps.db)
  return { ...context, request: { ...request, inventory } }
}

/**
 * The scope of a platform's keys for things without an id yet. Unspecified: in UCP keys are unique
 * "per client". A caller that only claims to be a platform has its own scope, so it neither uses up
 * the platform's keys nor sees their answers.
 */
const ofPlatform =
  (name: string): Changing<unknown>['scope'] =>
  (context) => {
    const known = knownProfile(context)
    const platform = known ?? `unsigned:${context.negotiated.profileUrl}`
    return `${OFFICIAL_UCP}:${name}:${context.request.host}:${platform}`
  }

/**
 * The scope of keys for things with an id is shared by all platforms that know the id. One scope
 * per claimed name would let strangers store any number of keys.
 */
const ofId =
  (name: string): Changing<{ id: string }>['scope'] =>
  (_, { id }) =>
    `${OFFICIAL_UCP}:${name}:${id}`

/** The operations of official UCP, by the names of their MCP tools. */
export const OPERATIONS = {
  search_catalog: operation(
    SEARCH,
    'Find products by keywords, categories and price.',
    { catalog: SearchRequest },
    async (context, { catalog }) => search(await stocked(context), catalog),
  ),
  lookup_catalog: operation(
    LOOKUP,
    'Read products by product or variant id.',
    { catalog: LookupRequest },
    async (context, { catalog }) =>
      tooManyIds(catalog) ?? lookup(await stocked(context, catalog.ids), catalog),
  ),
  get_product: operation(
    LOOKUP,
    'Read one product, with its variants narrowed down to the selected options.',
    { catalog: ProductRequest },
    async (context, { catalog }) => productDetail(await stocked(context, [catalog.id]), catalog),
  ),
  create_cart: operation(
    CART,
    'Create a cart for variants, given by id.',
    { cart: CartRequest },
    (context, { cart }) => createUcpCart(context, cart),
    { scope: ofPlatform('cart'), opens: true },
  ),
  get_cart: operation(CART, 'Read a cart.', { id: Text }, (context, { id }) =>
    getUcpCart(context, id),
  ),
  update_cart: operation(
    CART,
    'Replace the items of a cart.',
    { id: Text, cart: CartRequest },
    (context, { id, cart }) => updateUcpCart(context, id, cart),
    { scope: ofId('update_cart') },
  ),
  cancel_cart: operation(
    CART,
    'Cancel a cart.',
    { id: Text },
    (context, { id }) => cancelUcpCart(context, id),
    { scope: ofId('cancel_cart'), needsKey: true },
  ),
  create_checkout: operation(
    CHECKOUT,
    'Create a checkout for variants, given by id, or for a cart.',
    { checkout: UcpCreateRequest },
    (context, { checkout }) => createUcpCheckout(context, checkout),
    { scope: ofPlatform('create'), opens: true },
  ),
  get_checkout: operation(CHECKOUT, 'Read a checkout.', { id: Text }, (context, { id }) =>
    getUcpCheckout(context, id),
  ),
  update_checkout: operation(
    CHECKOUT,
    'Replace the items, the address and the shipping method of a checkout.',
    { id: Text, checkout: CheckoutRequest },
    (context, { id, checkout }) => updateUcpCheckout(context, id, checkout),
    { scope: ofId('update'), looksUpKey: true },
  ),
  complete_checkout: operation(
    CHECKOUT,
    'Pay and place the order, with an instrument of one of the payment handlers.',
    { id: Text, checkout: UcpCompleteRequest },
    (context, { id, checkout }) => completeUcpCheckout(context, id, checkout),
    {
      scope: (_, { id }) => completionScope({ protocol: OFFICIAL_UCP, id }),
      needsKey: true,
      looksUpKey: true,
    },
  ),
  cancel_checkout: operation(
    CHECKOUT,
    'Cancel a checkout.',
    { id: Text },
    (context, { id }) => cancelUcpCheckout(context, id),
    { scope: ofId('cancel'), needsKey: true, looksUpKey: true },
  ),
  get_order: operation(
    ORDER,
    'Read an order, for the platform that it was bought through.',
    { id: Text },
    (context, { id }) => getUcpOrder(context, id),
  ),
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS
