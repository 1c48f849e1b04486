import { Notice } from '../../../shared/view/Notice.tsx'
import { useSession } from '../app-state.ts'
import { ReportPanel } from './ReportPanel.tsx'

/** What AI surfaces brought to a storefront. */
export function ReportView() {
  const { say, go, server } = useSession()
  if (server !== null) return <ReportPanel key={server.id} server={server} />
  return (
    <Notice
      kind="info"
      title={say('report_connect_title')}
      action={{ label: say('store_connect'), onAct: () => go('options'), primary: true }}
    >
      <p>{say('report_connect_text')}</p>
    </Notice>
  )
}
