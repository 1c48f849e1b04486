/**
 * The domain's own label, such as `shop` of www.shop.co.uk: the longest before the last, for the
 * public suffix list weighs more than the whole panel.
 */
export function siteLabel(host: string): string {
  const labels = host.split('.').slice(0, -1)
  const longest = labels.reduce((best, label) => (label.length >= best.length ? label : best), '')
  return longest === '' ? host : longest
}
