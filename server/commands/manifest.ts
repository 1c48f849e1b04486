import { generateDocument, publishedDocument } from '../../shared/manifest/generate.ts'
import { ManifestRequest } from '../../shared/manifest/manifest.ts'
import { readCommaList } from '../../shared/web/comma-list.ts'
import { pastedDomain } from '../../shared/web/domain.ts'
import { printable, printableJson, printableLines } from '../../shared/web/printable.ts'
import { inRequestWords } from '../http/validation.ts'
import { CommandError } from './terminal/command-error.ts'
import { painter } from './terminal/paint.ts'
import type { Terminal } from './terminal/terminal.ts'

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

/** The flags that the fields of the request are given by. */
const FLAGS: Readonly<Record<string, string>> = {
  domain: '<domain>',
  catalog_endpoint: '--catalog',
  checkout_endpoint: '--checkout',
  shipping_endpoint: '--shipping',
  orders_endpoint: '--orders',
  supports_filters: '--filters',
  supported_payment_methods: '--payment-methods',
  format: '--format',
}

/**
 * Prints the file for `/.well-known/ucp` (spec, Manifest), ready to be published, and beside it
 * what to look at first, so that `> ucp` keeps the file alone. Throws when an option cannot be
 * used.
 */
export function manifestCommand(domain: string, flags: ManifestFlags, terminal: Terminal): void {
  const { catalog, checkout, shipping, orders, search, filters, paymentMethods, format } = flags
  const asked = ManifestRequest.safeParse(
    {
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
    },
    { error: inRequestWords },
  )
  if (!asked.success) {
    const wrong = asked.error.issues.map(
      ({ path, message }) => `${FLAGS[String(path[0])] ?? path.join('.')}: ${message}`,
    )
    throw new CommandError(printableLines(wrong))
  }
  // The time is left out of what is published.
  const { document, warnings } = generateDocument(asked.data, new Date(0))
  terminal.print(printableJson(publishedDocument(document)))
  const paint = painter(terminal.colour)
  for (const warning of warnings) {
    terminal.remark(printable`${paint('yellow', 'warning')}  ${warning}`)
  }
}
