import type { JSX } from 'preact'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { isLoopback } from '../../../../shared/web/address/loopback.ts'
import { useSite } from '../../site.tsx'

/**
 * The tag of a service without a public address does not work in the pages of a store, unless that
 * is on this machine too (`isHere`).
 */
export function LoopbackNotice({ isHere = false }: { isHere?: boolean }): JSX.Element | null {
  const { baseUrl } = useSite()
  if (isHere || !isLoopback(baseUrl)) return null
  return (
    <Notice kind="warning" title="This tag works on this machine alone">
      <p>
        It loads its script from {baseUrl}. Before you put it into a store, the operator of this
        service sets BASE_URL to its public address.
      </p>
    </Notice>
  )
}
