import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { NEW_TAB } from '../../shared/view/Action.tsx'
import { capital } from '../../shared/web/text/capital.ts'
import { appUrl } from '../browser/panel.ts'
import { AppContext, type AppState, useApp } from './app/app-state.ts'
import { useKeptFocus } from './app/focus.ts'
import type { Server } from './app/server.ts'
import { type Placement, useView, VIEWS, type ViewId } from './app/view.ts'
import { ManifestBuilder } from './manifest/ManifestBuilder.tsx'
import { ManifestValidator } from './manifest/ManifestValidator.tsx'
import { Onboarding } from './Onboarding.tsx'
import { OptionsView } from './options/OptionsView.tsx'
import { PageView } from './page/PageView.tsx'
import { useOpenPage } from './page/use-open-page.ts'
import { ReportView } from './report/ReportView.tsx'
import { StoreView } from './store/StoreView.tsx'
import { Tabs } from './Tabs.tsx'

interface ShellProps {
  placement: Placement
  server: Server | null
}

const CONTENT: Record<ViewId, () => JSX.Element> = {
  page: () => <PageView />,
  store: () => <StoreView />,
  manifest: () => (
    <>
      <ManifestBuilder />
      <ManifestValidator />
    </>
  ),
  report: () => <ReportView />,
  options: () => <OptionsView />,
}

/** Head and tabs, around what each view draws. */
export function Shell({ placement, server }: ShellProps) {
  const [view, go] = useView(placement)
  const page = useOpenPage(server, placement)
  const app = useMemo(
    (): AppState | null => (view === null ? null : { server, page, placement, view, go }),
    [server, page, placement, view, go],
  )
  if (app === null || view === null) return null
  const isNarrow = placement === 'panel' || placement === 'popup'
  return (
    <AppContext.Provider value={app}>
      <div class={`shell shell-${placement}`}>
        <header class="shell-head">
          <h1>Aisle</h1>
          {isNarrow && page.tab !== null && (
            <a class="button button-small" href={appUrl(page.tab.id)} {...NEW_TAB}>
              Open in a tab
            </a>
          )}
        </header>
        <Views />
      </div>
    </AppContext.Provider>
  )
}

function Views() {
  const { placement, view, go } = useApp()
  return (
    <main ref={useKeptFocus()}>
      {placement !== 'options' && <Onboarding />}
      <Tabs
        label="Views"
        tabs={VIEWS.map((id) => ({ id, label: capital(id), content: CONTENT[id] }))}
        chosen={view}
        onChoose={go}
      />
    </main>
  )
}
