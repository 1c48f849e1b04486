import {
  jsonLdElement,
  ProductFacts,
  productJsonLd,
  shopJsonLd,
} from '../../../../shared/markup/build.ts'
import { domainOfAddress } from '../../../../shared/web/address/domain.ts'
import { type FormState, formRecord, readValues } from '../form-fields.tsx'

const SCHEMA_FIELDS = [
  'domain',
  'shop_name',
  'logo',
  'profiles',
  'name',
  'url',
  'images',
  'description',
  'brand',
  'sku',
  'gtin',
  'price',
  'currency',
  'availability',
  'shipping_price',
  'shipping_country',
  'return_days',
  'return_country',
  'return_free',
] as const
type SchemaField = (typeof SCHEMA_FIELDS)[number]

/** A gap that the markup would leave, and what is missing. */
interface Omission {
  gap: string
  text: string
}

export interface SchemaState extends FormState<SchemaField> {
  /** Null while a required field is empty or wrong. */
  markup: { product: string; home: string; left_out: Omission[] } | null
}

/** As `judgeManifestForm`: empty fields are wrong only once the form is `complete`. */
export function judgeSchemaForm(
  get: (name: SchemaField) => unknown,
  complete: boolean,
): SchemaState {
  const values = readValues(SCHEMA_FIELDS, get)
  const read = ProductFacts.safeParse(factsOf(values))
  if (read.success) {
    const markup = {
      product: jsonLdElement(productJsonLd(read.data)),
      home: jsonLdElement(shopJsonLd(read.data)),
      left_out: omissions(read.data),
    }
    return { values, errors: {}, markup }
  }
  const errors: Partial<Record<SchemaField, string>> = {}
  for (const { path, message } of read.error.issues) {
    const name = FIELD_OF[path.slice(0, 2).join('.')] ?? FIELD_OF[String(path[0])]
    if (name === undefined || errors[name] !== undefined) continue
    // If one field of a pair is filled in, the empty one is reported immediately.
    const isHalf = path.length > 1 && typeof path[1] === 'string'
    if (complete || isHalf || values[name] !== '') {
      errors[name] = values[name] === '' ? 'Fill this in.' : message
    }
  }
  return { values, errors, markup: null }
}

export function startSchemaForm(domain: string | undefined): SchemaState {
  const read = domain === undefined ? null : domainOfAddress(domain.slice(0, 1000))
  const known = read !== null && 'domain' in read ? read.domain : ''
  const start: Partial<Record<SchemaField, string>> = {
    domain: known,
    availability: 'in_stock',
    ...(known !== '' && { url: `https://${known}/` }),
  }
  const values = formRecord(SCHEMA_FIELDS, (name) => start[name] ?? '')
  return { values, errors: {}, markup: null }
}

/** The field of each fact; a list's items and a record's parts belong to one field. */
const FIELD_OF: Readonly<Record<string, SchemaField>> = {
  ...Object.fromEntries(SCHEMA_FIELDS.map((name) => [name, name])),
  'shipping.price': 'shipping_price',
  'shipping.country': 'shipping_country',
  'returns.days': 'return_days',
  'returns.country': 'return_country',
}

const OPTIONAL = ['logo', 'description', 'brand', 'sku', 'gtin'] as const

function factsOf(values: Record<SchemaField, string>): unknown {
  const { shipping_price, shipping_country, return_days, return_country } = values
  const stated = OPTIONAL.filter((name) => values[name] !== '')
  return {
    domain: values.domain,
    shop_name: values.shop_name,
    profiles: lines(values.profiles),
    name: values.name,
    url: values.url,
    images: lines(values.images),
    price: values.price,
    currency: values.currency.toUpperCase(),
    availability: values.availability,
    ...Object.fromEntries(stated.map((name) => [name, values[name]])),
    ...((shipping_price !== '' || shipping_country !== '') && {
      shipping: { price: shipping_price, country: shipping_country.toUpperCase() },
    }),
    ...((return_days !== '' || return_country !== '') && {
      returns: {
        days: /^\d{1,6}$/.test(return_days) ? Number(return_days) : return_days,
        country: return_country.toUpperCase(),
        free: values.return_free === 'yes',
      },
    }),
  }
}

const lines = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

function omissions({ brand, description, shipping, returns, logo, sku, gtin }: ProductFacts) {
  const all: [given: unknown, gap: string, text: string][] = [
    [sku ?? gtin, 'product_schema_identifier_missing', 'The product has no number.'],
    [description, 'product_schema_description_missing', 'The product has no description.'],
    [brand, 'product_schema_brand_missing', 'The product has no brand.'],
    [shipping, 'product_schema_shipping_missing', 'The shipping cost is missing.'],
    [returns, 'product_schema_return_policy_missing', 'The return period is missing.'],
    [logo, 'organization_logo_invalid', 'The store has no logo.'],
  ]
  return all.flatMap(([given, gap, text]) => (given === undefined ? [{ gap, text }] : []))
}
