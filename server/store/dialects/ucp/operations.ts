import * as z from 'zod'
import { describeIssues } from '../../../../shared/web/field-errors.ts'
import { Key } from '../../checkout/caller.ts'
import { LookupRequest, lookup, SearchRequest, search } from './catalog.ts'
import {
  CheckoutRequest,
  cancelUcpCheckout,
  completeUcpCheckout,
  createUcpCheckout,
  getUcpCheckout,
  type UcpContext,
  updateUcpCheckout,
} from './checkout.ts'
import { protocolError, Text, type UcpResult, ucpFailure } from './envelope.ts'
import { ProductRequest, productDetail } from './product-detail.ts'
import { CHECKOUT, LOOKUP, SEARCH } from './profile.ts'

/** One operation of UCP, whichever way it is asked for. */
export interface Operation {
  description: string
  /** Its arguments, as the tool of its name takes them. */
  input: z.ZodObject
  /** The capability that it belongs to: without it there is no such operation. */
  root: string
  /** Over MCP it takes no call without an idempotency key. */
  needsKey: boolean
  /** Answers 400 when these are not its arguments. */
  call: (context: UcpContext, given: unknown) => Promise<UcpResult>
}

/** What a tool call carries beside its arguments, as the tools declare it. */
const declaredMeta = (needsKey: boolean) =>
  z.looseObject({
    'ucp-agent': z
      .looseObject({ profile: z.string() })
      .describe('profile: the https URL of your UCP profile'),
    'idempotency-key': needsKey ? Key : Key.optional(),
  })

function operation<Shape extends z.ZodRawShape>(
  root: string,
  description: string,
  shape: Shape,
  answer: (
    context: UcpContext,
    given: z.output<z.ZodObject<Shape>>,
  ) => UcpResult | Promise<UcpResult>,
  needsKey = false,
): Operation {
  const input = z.object(shape)
  return {
    description,
    input: z.object({ meta: declaredMeta(needsKey), ...shape }),
    root,
    needsKey,
    call: async (context, given) => {
      if (!context.negotiated.capabilities.has(root)) return incompatible(context, root)
      const read = input.safeParse(given)
      return read.success ? answer(context, read.data) : unreadableArguments(read.error)
    },
  }
}

/** Nothing is wrong with the request: the two of them cannot do this together. */
const incompatible = (context: UcpContext, root: string): UcpResult =>
  ucpFailure(
    context,
    'capabilities_incompatible',
    `Your profile does not have ${root} in version ${context.negotiated.version}.`,
  )

/** UCP's protocol error for arguments that no operation can read: flat, with HTTP 400 over REST. */
function unreadableArguments({ issues }: z.ZodError): UcpResult {
  const wrong = describeIssues(issues, (path, message) => {
    // Over REST the argument is the body, and has no name.
    const name = path.replace(/^(catalog|checkout)\.?/, '')
    return `${name || 'the body'}: ${message}`
  })
  return protocolError(400, 'invalid_request', `Fix and send again: ${wrong}.`)
}

/** By the names of their MCP tools. */
export const OPERATIONS = {
  search_catalog: operation(
    SEARCH,
    'Find products by keywords, categories and price.',
    { catalog: SearchRequest },
    (context, { catalog }) => search(context, catalog),
  ),
  lookup_catalog: operation(
    LOOKUP,
    'Read products by product or variant id.',
    { catalog: LookupRequest },
    (context, { catalog }) => lookup(context, catalog),
  ),
  get_product: operation(
    LOOKUP,
    'Read one product, with its variants narrowed down to the selected options.',
    { catalog: ProductRequest },
    (context, { catalog }) => productDetail(context, catalog),
  ),
  create_checkout: operation(
    CHECKOUT,
    'Create a checkout for variants, given by id.',
    { checkout: CheckoutRequest },
    (context, { checkout }) => createUcpCheckout(context, checkout),
  ),
  get_checkout: operation(CHECKOUT, 'Read a checkout.', { id: Text }, (context, { id }) =>
    getUcpCheckout(context, id),
  ),
  update_checkout: operation(
    CHECKOUT,
    'Replace the items, the address and the shipping method of a checkout.',
    { id: Text, checkout: CheckoutRequest },
    (context, { id, checkout }) => updateUcpCheckout(context, id, checkout),
  ),
  complete_checkout: operation(
    CHECKOUT,
    'Pay and place the order. This store does not accept payments yet, so the call fails.',
    { id: Text, checkout: z.looseObject({}).optional() },
    (context, { id }) => completeUcpCheckout(context, id),
    true,
  ),
  cancel_checkout: operation(
    CHECKOUT,
    'Cancel a checkout.',
    { id: Text },
    (context, { id }) => cancelUcpCheckout(context, id),
    true,
  ),
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS
