import type { JSX } from 'preact'
import { localShopPort } from '../../../shared/web/address/local-shop.ts'

/** Which store a name such as `localhost-3000.test` stands for. Nothing for any other domain. */
export function LocalName({ domain }: { domain: string }): JSX.Element | null {
  const port = localShopPort(domain)
  if (port === null) return null
  return (
    <p class="quiet">
      {domain} is the name here of the store at http://localhost:{port}.
    </p>
  )
}
