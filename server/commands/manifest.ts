import { generateDocument, publishedDocument } from '../../shared/manifest/generate.ts'
import { ManifestRequest } from '../../shared/manifest/manifest.ts'
import { pastedDomain } from '../../shared/web/address/domain.ts'
import { readCommaList } from '../../shared/web/text/comma-list.ts'
import { printable, printableJson } from '../../shared/web/text/printable.ts'
import { inRequestWords } from '../http/validation.ts'
import { painter } from './terminal/paint.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrongFlags } from './terminal/wrong-flags.ts'

export interface ManifestFlags {
  catalog: string
  checkout: string
  shipping?: string
  orders?: string
  search?: boolean
  filters?: string
  paymentMethods?: string
  format?: string
}

/** The flags whose names differ from the request's fields. */
const FLAGS: Readonly<Record<string, string>> = {
  domain: '<domain>',
  catalog_endpoint: '--catalog',
  checkout_endpoint: '--checkout',
  shipping_endpoint: '--shipping',
  orders_endpoint: '--orders',
  supports_filters: '--filters',
  supported_payment_methods: '--payment-methods',
}

/**
 * Prints the file for `/.well-known/ucp` (spec, Manifest), ready to publish, and warnings to the
 * other stream, so that `> ucp` has only the file. Throws if an option cannot be used.
 */
export function manifestCommand(domain: string, flags: ManifestFlags, terminal: Terminal): void {
  const { catalog, checkout, shipping, orders, search, filters, paymentMethods, format } = flags
  const asked = {
    domain: pastedDomain(domain),
    catalog_endpoint: catalog,
    checkout_endpoint: checkout,
    shipping_endpoint: shipping,
    orders_endpoint: orders,
    supports_search: search,
    supports_filters: filters === undefined ? undefined : readCommaList(filters),
    supported_payment_methods:
      paymentMethods === undefined ? undefined : readCommaList(paymentMethods),
    format,
  }
  const request = ManifestRequest.safeParse(asked, { error: inRequestWords })
  if (!request.success) throw wrongFlags(request.error, asked, FLAGS)
  // The published file has no time.
  const { document, warnings } = generateDocument(request.data, new Date(0))
  terminal.print(printableJson(publishedDocument(document)))
  const paint = painter(terminal.colour)
  for (const warning of warnings) {
    terminal.remark(printable`${paint('yellow', 'warning')}  ${warning}`)
  }
}
