import { pastedDomain } from '../web/address/domain.ts'
import { ManifestRequest } from './manifest.ts'

/**
 * The values of the inputs of a manifest form. A list is one string, its items separated by commas
 * or line breaks.
 */
export interface ManifestValues {
  format: '1.0' | 'ucp'
  domain: string
  catalog_endpoint: string
  checkout_endpoint: string
  shipping_endpoint: string
  orders_endpoint: string
  supports_search: boolean
  supports_filters: string
  supported_payment_methods: string
}

type ManifestFieldName = keyof ManifestValues

/** The first fault of each field, in words. */
export type FieldErrors = Partial<Record<ManifestFieldName, string>>

/** The form's first values, from what is known of the store. */
export function valuesFrom(known: Partial<ManifestRequest>): ManifestValues {
  return {
    format: known.format ?? '1.0',
    domain: known.domain ?? '',
    catalog_endpoint: known.catalog_endpoint ?? '',
    checkout_endpoint: known.checkout_endpoint ?? '',
    shipping_endpoint: known.shipping_endpoint ?? '',
    orders_endpoint: known.orders_endpoint ?? '',
    supports_search: known.supports_search ?? false,
    supports_filters: known.supports_filters?.join(', ') ?? '',
    supported_payment_methods: known.supported_payment_methods?.join(', ') ?? '',
  }
}

/** The request, or the fields to correct. Empty inputs are left out. */
export function readManifestForm(
  values: ManifestValues,
): { request: ManifestRequest } | { errors: FieldErrors } {
  const parsed = ManifestRequest.safeParse(bodyOf(values))
  return parsed.success
    ? { request: parsed.data }
    : {
        errors: errorsAt(
          parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
        ),
      }
}

/** Assigns errors with a path, such as `supports_filters.0`, to their inputs. */
export function errorsAt(details: readonly { field: string; message: string }[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const { field, message } of details) {
    const name = field.split('.')[0] ?? ''
    if (isFieldName(name)) errors[name] ??= message
  }
  return errors
}

const isFieldName = (name: string): name is ManifestFieldName => Object.hasOwn(valuesFrom({}), name)

function bodyOf(values: ManifestValues): Record<string, unknown> {
  const filled = (text: string) => (text.trim() === '' ? {} : { value: text.trim() })
  const shipping = filled(values.shipping_endpoint)
  const orders = filled(values.orders_endpoint)
  const filters = itemsOf(values.supports_filters)
  const payment = itemsOf(values.supported_payment_methods)
  return {
    ...(values.format === 'ucp' && { format: 'ucp' }),
    domain: pastedDomain(values.domain.trim()),
    catalog_endpoint: values.catalog_endpoint.trim(),
    checkout_endpoint: values.checkout_endpoint.trim(),
    ...('value' in shipping && { shipping_endpoint: shipping.value }),
    ...('value' in orders && { orders_endpoint: orders.value }),
    ...(values.supports_search && { supports_search: true }),
    ...(filters.length > 0 && { supports_filters: filters }),
    ...(payment.length > 0 && { supported_payment_methods: payment }),
  }
}

const itemsOf = (list: string): string[] =>
  list
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
