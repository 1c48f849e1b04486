import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { NEW_TAB } from '../../shared/view/Action.tsx'
import { appUrl } from '../browser/panel.ts'
import {
  type Server,
  type Session,
  SessionContext,
  type Surface,
  useSession,
  VIEWS,
  type ViewId,
} from './app-state.ts'
import { useKeptFocus } from './focus/use-kept-focus.ts'
import { ManifestView } from './manifest/ManifestView.tsx'
import { Onboarding } from './Onboarding.tsx'
import { OptionsView } from './options/OptionsView.tsx'
import { PageView } from './page/PageView.tsx'
import { useOpenPage } from './page/use-open-page.ts'
import { ReportView } from './report/ReportView.tsx'
import { StoreView } from './store/StoreView.tsx'
import { Tabs } from './Tabs.tsx'
import { useView } from './use-view.ts'

interface ShellProps {
  surface: Surface
  language: Pick<Session, 'say' | 'locale'>
  server: Server | null
}

const CONTENT: Record<ViewId, () => JSX.Element> = {
  page: () => <PageView />,
  store: () => <StoreView />,
  manifest: () => <ManifestView />,
  report: () => <ReportView />,
  options: () => <OptionsView />,
}

/** Head and tabs, around what each view draws. */
export function Shell({ surface, language, server }: ShellProps) {
  const { say, locale } = language
  const [view, go] = useView(surface)
  const page = useOpenPage(server, say)
  const session = useMemo(
    (): Session | null => (view === null ? null : { say, locale, server, page, surface, view, go }),
    [say, locale, server, page, surface, view, go],
  )
  if (session === null || view === null) return null
  const isNarrow = surface === 'panel' || surface === 'popup'
  return (
    <SessionContext.Provider value={session}>
      <div class={`shell shell-${surface}`}>
        <header class="shell-head">
          <h1>{say('extension_name')}</h1>
          {isNarrow && page.tab !== null && (
            <a class="button button-small" href={appUrl(page.tab.id)} {...NEW_TAB}>
              {say('open_in_tab')}
            </a>
          )}
        </header>
        <Views />
      </div>
    </SessionContext.Provider>
  )
}

function Views() {
  const { say, surface, view, go } = useSession()
  return (
    <main ref={useKeptFocus()}>
      {surface !== 'options' && <Onboarding />}
      <Tabs
        label={say('tabs_label')}
        tabs={VIEWS.map((id) => ({ id, label: say(`tab_${id}`), content: CONTENT[id] }))}
        chosen={view}
        onChoose={go}
      />
    </main>
  )
}
