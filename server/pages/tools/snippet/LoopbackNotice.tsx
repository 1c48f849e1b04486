import type { JSX } from 'preact'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { isLoopback } from '../../../../shared/web/loopback.ts'
import { useSite } from '../../site.tsx'

/** A tag of a service that has no public address does nothing in the pages of a shop. */
export function LoopbackNotice(): JSX.Element | null {
  const { baseUrl } = useSite()
  if (!isLoopback(baseUrl)) return null
  return (
    <Notice kind="warning" title="This tag works on this machine alone">
      <p>
        It loads the snippet from {baseUrl}. Before you put it into a shop, the operator of this
        service sets BASE_URL to its public address.
      </p>
    </Notice>
  )
}
