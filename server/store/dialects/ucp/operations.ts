import * as z from 'zod'
import { describeIssues } from '../../../../shared/web/field-errors.ts'
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
import { Text, type UcpResult } from './envelope.ts'
import { ProductRequest, productDetail } from './product-detail.ts'

/** One operation of UCP, whichever way it is asked for. */
export interface Operation {
  description: string
  /** Its arguments, as the tool of its name takes them. */
  input: z.ZodObject
  /** Over MCP it takes no call without an idempotency key. */
  needsKey: boolean
  /** Answers 400 when these are not its arguments. */
  call: (context: UcpContext, given: unknown) => Promise<UcpResult>
}

/** An idempotency key, which names one operation through all its retries. */
export const Key = z.string().min(1).max(200)

/** What a tool call carries beside its arguments, as the tools declare it. */
const declaredMeta = (needsKey: boolean) =>
  z.looseObject({
    'ucp-agent': z
      .looseObject({ profile: z.string() })
      .describe('profile: the https URL of your UCP profile'),
    'idempotency-key': needsKey ? Key : Key.optional(),
  })

function operation<Shape extends z.ZodRawShape>(
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
    needsKey,
    call: async (context, given) => {
      const read = input.safeParse(given)
      return read.success ? answer(context, read.data) : unreadableArguments(read.error)
    },
  }
}

/** UCP's protocol error for arguments that no operation can read: flat, with HTTP 400 over REST. */
function unreadableArguments({ issues }: z.ZodError): UcpResult {
  const wrong = describeIssues(issues, (path, message) => {
    // Over REST the argument is the body, and has no name.
    const name = path.replace(/^(catalog|checkout)\.?/, '')
    return `${name || 'the body'}: ${message}`
  })
  return {
    status: 400,
    body: { code: 'invalid_request', content: `Fix and send again: ${wrong}.` },
  }
}

/** By the names of their MCP tools. */
export const OPERATIONS = {
  search_catalog: operation(
    'Find products by keywords, categories and price.',
    { catalog: SearchRequest },
    ({ request }, { catalog }) => search(request, catalog),
  ),
  lookup_catalog: operation(
    'Read products by product or variant id.',
    { catalog: LookupRequest },
    ({ request }, { catalog }) => lookup(request, catalog),
  ),
  get_product: operation(
    'Read one product, with its variants narrowed down to the selected options.',
    { catalog: ProductRequest },
    ({ request }, { catalog }) => productDetail(request, catalog),
  ),
  create_checkout: operation(
    'Create a checkout for variants, given by id.',
    { checkout: CheckoutRequest },
    (context, { checkout }) => createUcpCheckout(context, checkout),
  ),
  get_checkout: operation('Read a checkout.', { id: Text }, (context, { id }) =>
    getUcpCheckout(context, id),
  ),
  update_checkout: operation(
    'Replace the items, the address and the shipping method of a checkout.',
    { id: Text, checkout: CheckoutRequest },
    (context, { id, checkout }) => updateUcpCheckout(context, id, checkout),
  ),
  complete_checkout: operation(
    'Pay and place the order. This store does not accept payments yet, so the call fails.',
    { id: Text, checkout: z.looseObject({}).optional() },
    (context, { id }) => completeUcpCheckout(context, id),
    true,
  ),
  cancel_checkout: operation(
    'Cancel a checkout.',
    { id: Text },
    (context, { id }) => cancelUcpCheckout(context, id),
    true,
  ),
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS
