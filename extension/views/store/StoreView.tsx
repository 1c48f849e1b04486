import { useRef } from 'preact/hooks'
import { Notice } from '../../../shared/view/Notice.tsx'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { StoreAuditView } from './StoreAuditView.tsx'
import { StoreWalkView } from './StoreWalkView.tsx'
import { storeDomain, withDomain } from './store-domain.ts'

/** The server's audit of the whole domain of the open page. */
export function StoreView() {
  const { go, server, page } = useApp()
  if (server !== null) return <StoreAudits key={server.id} server={server} />
  const store = storeDomain(page.domain)
  const domain = store.is === 'public' ? store.domain : 'your store'
  return (
    <Notice
      kind="info"
      title="Audit the whole store"
      action={{ label: 'Connect a server', onAct: () => go('options'), primary: true }}
    >
      <p>
        An Aisle server asks {domain} what an AI agent would ask: its manifest, catalog, checkout,
        feed and pages. Connect one under Options. The audit of the open page works without a
        server.
      </p>
    </Notice>
  )
}

/** An audit goes on while the person opens another store, or none. */
function StoreAudits({ server }: { server: Server }) {
  const { page } = useApp()
  const seen = useRef<readonly string[]>([])
  const store = storeDomain(page.domain)
  const open = store.is === 'public' ? store.domain : null
  seen.current = withDomain(seen.current, open)
  return (
    <>
      {store.is === 'none' && (
        <Notice kind="info" title="Open a page of your store">
          <p>An Aisle server can then audit its whole domain.</p>
        </Notice>
      )}
      {store.is === 'private' && (
        <Notice
          kind="info"
          title={`${store.host} is not a public domain. A server can only audit what it can reach.`}
        />
      )}
      {seen.current.map((domain) => (
        <div key={domain} hidden={domain !== open}>
          <StoreAuditView server={server} domain={domain} />
          <StoreWalkView server={server} domain={domain} />
        </div>
      ))}
    </>
  )
}
