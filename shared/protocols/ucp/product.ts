import * as z from 'zod'
import { isCurrency } from '../../commerce/iso.ts'
import { isUri } from '../../web/address/uri.ts'
import { field, shown } from '../../web/json/json.ts'

const A_TEXT = 'expected a non-empty string'
const AN_INTEGER = 'expected an integer in the smallest unit of the currency'
const A_CURRENCY = 'expected an ISO 4217 code in upper case, such as "USD"'
const A_DESCRIPTION = 'expected an object with plain, html or markdown text'
const AN_IMAGE = 'expected an absolute https URL'

const Text = z.string(A_TEXT).trim().min(1, A_TEXT)
const Price = z.object({
  amount: z.int(AN_INTEGER).min(0, AN_INTEGER),
  currency: z.string(A_CURRENCY).refine((code) => /^[A-Z]{3}$/.test(code) && isCurrency(code), {
    message: A_CURRENCY,
  }),
})
const Description = z
  .object(
    {
      plain: z.string().optional(),
      html: z.string().optional(),
      markdown: z.string().optional(),
    },
    A_DESCRIPTION,
  )
  .refine((forms) => Object.keys(forms).length > 0, A_DESCRIPTION)
const Media = z.object({
  type: z.string(),
  // Unspecified: UCP asks for a URI. Only https is accepted: agents show images in their own pages,
  // where http is blocked.
  url: z.string(AN_IMAGE).refine((text) => URL.parse(text)?.protocol === 'https:', AN_IMAGE),
})
const Option = z.object({ name: Text, label: Text })

const Variant = z.object({
  id: Text,
  title: z.string(A_TEXT),
  description: Description,
  price: Price,
  availability: z
    .object({
      available: z.boolean('expected true or false').optional(),
      status: z.string().optional(),
    })
    .optional(),
  options: z.array(Option).optional(),
  media: z.array(Media).optional(),
})

/**
 * A product of official UCP's catalog (UCP source/schemas/shopping/types/product.json, the same in
 * 2026-04-08 and 2026-08-25), as far as agents need it; other members are free.
 */
export const OfficialProduct = z.object({
  id: Text,
  title: Text,
  description: Description,
  url: z
    .string()
    .refine((text) => isUri(text), 'expected an absolute URL')
    .optional(),
  price_range: z.object({ min: Price, max: Price }),
  media: z.array(Media).optional(),
  options: z
    .array(z.object({ name: Text, values: z.array(z.object({ label: Text })).min(1) }))
    .optional(),
  variants: z.array(Variant).min(1, 'expected at least one variant'),
})

/**
 * Options of a product that lead to no variant, and variants that do not match the options: an
 * agent's choice must name one variant (UCP, Catalog, Options). Each finding follows "variants[…]
 * of".
 */
export function optionFaults(product: Record<string, unknown>): string[] {
  const options = Array.isArray(product.options) ? product.options.slice(0, 20) : []
  const variants = Array.isArray(product.variants) ? product.variants : []
  if (options.length === 0 || variants.length < 2) return []
  const names = options.map((option) => field(option, 'name'))
  return variants.slice(0, 100).flatMap((variant, index) => {
    const chosen = namesOf(variant)
    const missing = names.findIndex((name) => !chosen.has(name))
    return missing === -1 ? [] : [`variants[${index}] names no ${shown(names[missing])}`]
  })
}

/** The names of a variant's options. */
function namesOf(variant: unknown): Set<unknown> {
  const options = field(variant, 'options')
  return new Set((Array.isArray(options) ? options : []).map((option) => field(option, 'name')))
}

/** Variants that claim to be both available and unavailable. */
export function stockFaults(product: Record<string, unknown>): string[] {
  const variants = Array.isArray(product.variants) ? product.variants : []
  return variants.slice(0, 100).flatMap((variant, index) => {
    const stock = field(variant, 'availability')
    const [available, status] = [field(stock, 'available'), field(stock, 'status')]
    const isContradiction =
      (available === true && (status === 'out_of_stock' || status === 'discontinued')) ||
      (available === false && status === 'in_stock')
    return isContradiction
      ? [`variants[${index}].availability is available: ${available}, status: ${shown(status)}`]
      : []
  })
}
