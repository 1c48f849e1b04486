// Imported first: zod tries to evaluate code when schemas are created.
import './no-eval.ts'
import '../../shared/view/view.css'
import './views.css'
import { render } from 'preact'
import { useMemo } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { english, LanguageContext } from '../../shared/view/language.ts'
import { useServer } from './app/server.ts'
import type { Placement } from './app/view.ts'
import { Shell } from './Shell.tsx'

/** Draws the app into an extension page; `placement` is where the browser shows it. */
export function mountApp(placement: Placement): void {
  const root = document.getElementById('app')
  if (root !== null) render(<App placement={placement} />, root)
}

function App({ placement }: { placement: Placement }) {
  const language = useMemo(() => english(browser.i18n.getUILanguage()), [])
  const server = useServer()
  return (
    <LanguageContext.Provider value={language}>
      {/* Not before storage was read, so that no page is audited twice. */}
      {server !== undefined && <Shell placement={placement} server={server} />}
    </LanguageContext.Provider>
  )
}
