import { readAddress } from '../../../shared/markup/page-signs/address.ts'
import { judgeKind, type PageKind } from '../../../shared/markup/product-page.ts'
import type { BothPages } from './judged-page.ts'

/**
 * Whether the open page shows one product. The page as sent and as shown are both asked, because a
 * server may send little that its scripts then fill.
 */
export function kindOf({ judged, rendered }: BothPages): PageKind {
  const [sent, shown] = [judgeKind(judged), judgeKind(rendered)]
  if (sent.is === 'product') return sent
  if (shown.is === 'product') return shown
  const [kind] = [shown, sent].filter(({ is }) => is === 'other')
  if (kind !== undefined) return kind
  // Unspecified: of an open page that shows nothing either way, its address decides.
  const address = readAddress(judged.url)
  return address.is === 'product'
    ? { is: 'product', because: [`its address has the form ${address.form}`] }
    : shown
}
