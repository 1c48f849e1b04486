/** Whether both are hosts of one shop, such as `www.shop.example` and `checkout.shop.example`. */
export const isSameSite = (a: string, b: string): boolean => isUnder(a, b) || isUnder(b, a)

/** Whole labels are compared: `notclaude.ai` is not under `claude.ai`. `www` counts as none. */
export const isUnder = (host: string, site: string): boolean =>
  `.${host}`.endsWith(`.${site.replace(/^www\./, '')}`)
