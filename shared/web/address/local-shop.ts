import { domainOfAddress } from './domain.ts'
import { isLoopback } from './loopback.ts'

/** `localhost-3000.test`: nothing public has a name below `test` (RFC 6761, 6.2). */
const NAME = /^(?:https?:\/\/)?localhost-([1-9]\d{0,4})\.test(?:\/.*)?$/

const MOST_PORT = 65_535

/** The name under which the shop at `http://localhost:<port>` is audited. */
export const localShopDomain = (port: number): string => `localhost-${port}.test`

/**
 * The port of a shop on one's own machine, by its address (`localhost:3000`,
 * `http://127.0.0.1:3000/shop`) or by the name that audits have for it. Null for any other address,
 * and for https: what listens there has no certificate that we could check.
 */
export function localShopPort(typed: string): number | null {
  const text = typed.trim().toLowerCase()
  const named = Number(NAME.exec(text)?.[1] ?? 0)
  if (named > 0) return named <= MOST_PORT ? named : null
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  const isLocal = url?.protocol === 'http:' && isLoopback(url.href) && !/\s/.test(text)
  return isLocal ? Number(url.port || 80) : null
}

/** The domain under which a shop is audited, on this machine or anywhere: see `domainOfAddress`. */
export function shopOfAddress(typed: string): ReturnType<typeof domainOfAddress> {
  const port = localShopPort(typed)
  return port === null ? domainOfAddress(typed) : { domain: localShopDomain(port) }
}

/** A text in which the addresses of shops on this machine are those that a browser opens. */
export const withLocalAddresses = (text: string): string =>
  text.replace(/https:\/\/localhost-([1-9]\d{0,4})\.test(?![\w.-])/g, 'http://localhost:$1')
