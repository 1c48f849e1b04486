import { Notice } from '../../../shared/view/Notice.tsx'
import { useSession } from '../session.ts'
import { StoreAuditView } from './StoreAuditView.tsx'
import { storeDomain } from './store-domain.ts'

/** What the server says of the whole domain of the open page. */
export function StoreView() {
  const { say, go, server, page } = useSession()
  const store = storeDomain(page.audit?.domain ?? null)
  if (server === null) {
    const domain = store.is === 'public' ? store.domain : say('store_your_shop')
    return (
      <Notice
        kind="info"
        title={say('store_connect_title')}
        action={{ label: say('store_connect'), onAct: () => go('options'), primary: true }}
      >
        <p>{say('store_connect_text', domain)}</p>
      </Notice>
    )
  }
  if (store.is === 'none') {
    return (
      <Notice kind="info" title={say('store_no_domain_title')}>
        <p>{say('store_no_domain_text')}</p>
      </Notice>
    )
  }
  if (store.is === 'private') {
    return <Notice kind="info" title={say('store_no_public', store.host)} />
  }
  return <StoreAuditView key={store.domain} server={server} domain={store.domain} />
}
