/**
 * Whether both are hosts of one store: equal, or one below the other, as `checkout.shop.example`
 * and `www.shop.example`. Lower-case host names; the public suffix list is not needed, because the
 * store's own domain is given.
 */
export const isSameSite = (a: string, b: string): boolean => isUnder(a, b) || isUnder(b, a)

/**
 * Whether a host is the site or lies under it. Whole labels are compared: `notclaude.ai` is not
 * under `claude.ai`. A leading `www.` of the site is ignored.
 */
export const isUnder = (host: string, site: string): boolean =>
  `.${host}`.endsWith(`.${site.replace(/^www\./, '')}`)

/** Whether two URLs have the same host; a leading `www.` makes no difference. */
export function isSameHost(a: string, b: string): boolean {
  const [one, other] = [a, b].map((url) => URL.parse(url)?.host.replace(/^www\./, ''))
  return one !== undefined && one === other
}
