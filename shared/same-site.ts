/** Whether both are hosts of one shop, such as `www.shop.example` and `checkout.shop.example`. */
export function isSameSite(a: string, b: string): boolean {
  const x = labelsOf(a)
  const y = labelsOf(b)
  return x.endsWith(y) || y.endsWith(x)
}

const labelsOf = (host: string) => `.${host}`.replace(/^\.www\./, '.')
