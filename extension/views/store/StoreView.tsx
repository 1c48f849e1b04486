import { useRef } from 'preact/hooks'
import { Notice } from '../../../shared/view/Notice.tsx'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { StoreAuditView } from './StoreAuditView.tsx'
import { StoreWalkView } from './StoreWalkView.tsx'
import { storeDomain, withDomain } from './store-domain.ts'

/** The server's audit of the whole domain of the open page. */
export function StoreView() {
  const { text, go, server, page } = useApp()
  if (server !== null) return <StoreAudits key={server.id} server={server} />
  const store = storeDomain(page.domain)
  const domain = store.is === 'public' ? store.domain : text('store_your_store')
  return (
    <Notice
      kind="info"
      title={text('store_connect_title')}
      action={{ label: text('store_connect'), onAct: () => go('options'), primary: true }}
    >
      <p>{text('store_connect_text', domain)}</p>
    </Notice>
  )
}

/** An audit goes on while the person opens another store, or none. */
function StoreAudits({ server }: { server: Server }) {
  const { text, page } = useApp()
  const seen = useRef<readonly string[]>([])
  const store = storeDomain(page.domain)
  const open = store.is === 'public' ? store.domain : null
  seen.current = withDomain(seen.current, open)
  return (
    <>
      {store.is === 'none' && (
        <Notice kind="info" title={text('store_no_domain_title')}>
          <p>{text('store_no_domain_text')}</p>
        </Notice>
      )}
      {store.is === 'private' && <Notice kind="info" title={text('store_no_public', store.host)} />}
      {seen.current.map((domain) => (
        <div key={domain} hidden={domain !== open}>
          <StoreAuditView server={server} domain={domain} />
          <StoreWalkView server={server} domain={domain} />
        </div>
      ))}
    </>
  )
}
