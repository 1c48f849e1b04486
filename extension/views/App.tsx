import '../../shared/view/view.css'
import './views.css'
import { useMemo } from 'preact/hooks'
import { LocaleContext, TextsContext } from '../../shared/view/language.ts'
import { browserLocale, browserTexts } from '../texts/browser-language.ts'
import { createSay } from '../texts/say.ts'
import type { Surface } from './app-state.ts'
import { Shell } from './Shell.tsx'
import { useServer } from './use-server.ts'

/** The whole extension page; `surface` is where the browser shows it. */
export function App({ surface }: { surface: Surface }) {
  const texts = useMemo(browserTexts, [])
  const locale = useMemo(browserLocale, [])
  const say = useMemo(() => createSay(texts), [texts])
  const server = useServer()
  return (
    <TextsContext.Provider value={texts}>
      <LocaleContext.Provider value={locale}>
        {/* Not before storage was read: no page is to be checked twice. */}
        {server !== undefined && (
          <Shell surface={surface} language={{ say, locale }} server={server} />
        )}
      </LocaleContext.Provider>
    </TextsContext.Provider>
  )
}
