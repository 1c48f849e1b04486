import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Gap } from '../../../shared/audit/result.ts'
import type { OpenTab } from '../../browser/tab.ts'
import type { PageAudit, PageRefusalReason } from '../../page/audit/page-audit.ts'
import type { AppLanguage } from '../../texts/browser-language.ts'
import type { Server } from './server.ts'
import type { Placement, ViewId } from './view.ts'

/** The page that the person looks at, and what its check says. */
export interface OpenPage {
  tab: OpenTab | null
  /**
   * The host of the page, also of one that cannot be judged, such as JSON: the shop is the same.
   * Null where the browser does not tell, or the page is not one of the web.
   */
  domain: string | null
  audit: PageAudit | null
  refusal: PageRefusalReason | null
  isChecking: boolean
  check: () => void
  /** False where the page does not let us, or no longer holds what the gap was about. */
  show: (gap: Gap) => Promise<boolean>
}

/** What every view is given: the language, the server, the open page, and which view is shown. */
export interface AppState extends AppLanguage {
  server: Server | null
  page: OpenPage
  placement: Placement
  view: ViewId
  go: (view: ViewId) => void
}

/** Given by `App`, around all views. */
export const AppContext = createContext<AppState | null>(null)

/** Throws outside of `App`. */
export function useApp(): AppState {
  const app = useContext(AppContext)
  if (app === null) throw new Error('This view must be rendered inside App.')
  return app
}
