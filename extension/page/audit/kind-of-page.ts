import { readAddress } from '../../../shared/markup/page-signs/address.ts'
import { judgeKind, type PageKind } from '../../../shared/markup/product-page.ts'
import type { BothPages } from './judged-page.ts'

/**
 * Whether the open page shows one product. Both versions are checked, because a server may send
 * little that its scripts then fill.
 */
export function kindOf({ judged, rendered }: BothPages): PageKind {
  const [sent, shown] = [judgeKind(judged), judgeKind(rendered)]
  if (sent.is === 'product') return sent
  if (shown.is === 'product') return shown
  const [kind] = [shown, sent].filter(({ is }) => is === 'other')
  if (kind !== undefined) return kind
  // Unspecified: if an open page gives no other sign, its address decides.
  const address = readAddress(judged.url)
  return address.is === 'product'
    ? { is: 'product', because: [`its address has the form ${address.form}`] }
    : shown
}
