/** Whether both are hosts of one shop, such as `www.shop.example` and `checkout.shop.example`. */
export function isSameSite(a: string, b: string): boolean {
  const [x = '', y = ''] = [a, b].map((host) => `.${host}`.replace(/^\.www\./, '.'))
  return b !== '' && (x.endsWith(y) || y.endsWith(x))
}
