import * as z from 'zod'
import { LookupRequest, lookup, SearchRequest, search } from './catalog.ts'
import {
  CheckoutRequest,
  cancelCheckout,
  completeCheckout,
  createCheckout,
  getCheckout,
  type UcpContext,
  updateCheckout,
} from './checkout.ts'
import { Text, type UcpResult } from './envelope.ts'
import { ProductRequest, productDetail } from './product-detail.ts'

/** One operation of UCP, whichever way it is asked for. */
export interface Operation {
  description: string
  /** Its arguments, as the tool of its name takes them. */
  input: z.ZodObject
  /** Answers 400 when these are not its arguments. */
  call: (shop: UcpContext, given: unknown) => Promise<UcpResult>
}

// Unspecified: who asks is not required. The store answers everyone alike, and an agent that does
// not name its profile is refused nothing.
const meta = z
  .looseObject({
    'ucp-agent': z.looseObject({ profile: z.string() }).optional(),
    'idempotency-key': z.string().optional(),
  })
  .optional()

function operation<Shape extends z.ZodRawShape>(
  description: string,
  shape: Shape,
  answer: (shop: UcpContext, given: z.output<z.ZodObject<Shape>>) => UcpResult | Promise<UcpResult>,
): Operation {
  const input = z.object(shape)
  return {
    description,
    input: z.object({ meta, ...shape }),
    call: async (shop, given) => {
      const read = input.safeParse(given)
      return read.success ? answer(shop, read.data) : unreadable(read.error)
    },
  }
}

function unreadable({ issues }: z.ZodError): UcpResult {
  const said = issues.slice(0, 4).map(({ path, message }) => {
    // Over REST the argument is the body, and has no name.
    const name = path.join('.').replace(/^(catalog|checkout)\.?/, '')
    return `${name || 'the body'}: ${message}`
  })
  const content = `Fix and send again: ${said.join('; ')}.`
  return { status: 400, body: { code: 'invalid_request', content } }
}

/** By the names of their MCP tools. */
export const OPERATIONS = {
  search_catalog: operation(
    'Find products by keywords, categories and price.',
    { catalog: SearchRequest },
    ({ visit }, { catalog }) => search(visit, catalog),
  ),
  lookup_catalog: operation(
    'Read products by product or variant id.',
    { catalog: LookupRequest },
    ({ visit }, { catalog }) => lookup(visit, catalog),
  ),
  get_product: operation(
    'Read one product, with its variants narrowed down to the selected options.',
    { catalog: ProductRequest },
    ({ visit }, { catalog }) => productDetail(visit, catalog),
  ),
  create_checkout: operation(
    'Create a checkout for variants, given by id.',
    { checkout: CheckoutRequest },
    (shop, { checkout }) => createCheckout(shop, checkout),
  ),
  get_checkout: operation('Read a checkout.', { id: Text }, (shop, { id }) =>
    getCheckout(shop, id),
  ),
  update_checkout: operation(
    'Replace the items, the address and the shipping method of a checkout.',
    { id: Text, checkout: CheckoutRequest },
    (shop, { id, checkout }) => updateCheckout(shop, id, checkout),
  ),
  complete_checkout: operation(
    'Pay and place the order. This store does not accept payments yet, so the call fails.',
    { id: Text, checkout: z.looseObject({}).optional() },
    (shop, { id }) => completeCheckout(shop, id),
  ),
  cancel_checkout: operation('Cancel a checkout.', { id: Text }, (shop, { id }) =>
    cancelCheckout(shop, id),
  ),
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS
