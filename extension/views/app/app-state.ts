import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Gap } from '../../../shared/audit/result/result.ts'
import type { OpenTab } from '../../browser/tab.ts'
import type { PageAudit, PageRefusalReason } from '../../page/audit/page-audit.ts'
import type { Server } from './server.ts'
import type { Placement, ViewId } from './view.ts'

/** The active page and its audit. */
export interface OpenPage {
  tab: OpenTab | null
  /**
   * The host of the page, even if it cannot be judged, such as JSON. Null if the browser does not
   * say, or the page is not on the web.
   */
  domain: string | null
  audit: PageAudit | null
  refusal: PageRefusalReason | null
  isChecking: boolean
  check: () => void
  /** False if the page does not allow it, or no longer has the gap's element. */
  show: (gap: Gap) => Promise<boolean>
}

/**
 * The state that every view gets: the server, the open page, and the current view.
 */
export interface AppState {
  server: Server | null
  page: OpenPage
  placement: Placement
  view: ViewId
  go: (view: ViewId) => void
}

/** Provided by `App`, around all views. */
export const AppContext = createContext<AppState | null>(null)

/** Throws outside of `App`. */
export function useApp(): AppState {
  const app = useContext(AppContext)
  if (app === null) throw new Error('This view must be rendered inside App.')
  return app
}
