import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { NEW_TAB } from '../../shared/view/Action.tsx'
import { appUrl } from '../browser/panel.ts'
import type { AppLanguage } from '../texts/browser-language.ts'
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
  language: AppLanguage
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
export function Shell({ placement, language, server }: ShellProps) {
  const { text, locale, dates } = language
  const [view, go] = useView(placement)
  const page = useOpenPage(server, text, placement)
  const app = useMemo(
    (): AppState | null =>
      view === null ? null : { text, locale, dates, server, page, placement, view, go },
    [text, locale, dates, server, page, placement, view, go],
  )
  if (app === null || view === null) return null
  const isNarrow = placement === 'panel' || placement === 'popup'
  return (
    <AppContext.Provider value={app}>
      <div class={`shell shell-${placement}`}>
        <header class="shell-head">
          <h1>{text('extension_name')}</h1>
          {isNarrow && page.tab !== null && (
            <a class="button button-small" href={appUrl(page.tab.id)} {...NEW_TAB}>
              {text('open_in_tab')}
            </a>
          )}
        </header>
        <Views />
      </div>
    </AppContext.Provider>
  )
}

function Views() {
  const { text, placement, view, go } = useApp()
  return (
    <main ref={useKeptFocus()}>
      {placement !== 'options' && <Onboarding />}
      <Tabs
        label={text('tabs_label')}
        tabs={VIEWS.map((id) => ({ id, label: text(`tab_${id}`), content: CONTENT[id] }))}
        chosen={view}
        onChoose={go}
      />
    </main>
  )
}
