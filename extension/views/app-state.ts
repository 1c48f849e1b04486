import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ApiClient } from '../api/client.ts'
import type { Say } from '../texts/say.ts'
import type { OpenPage } from './page/use-open-page.ts'

/** Where the browser shows us. */
export type Placement = 'panel' | 'popup' | 'tab' | 'options'

export const VIEWS = ['page', 'store', 'manifest', 'report', 'options'] as const
export type ViewId = (typeof VIEWS)[number]

export const isView = (name: string): name is ViewId => VIEWS.some((view) => view === name)

/** A server that was named in the options. `name` is its host, for people. */
export interface Server {
  /** Another one for each address and key: what was asked with one is not shown for the next. */
  id: string
  /** Without a slash at the end. */
  url: string
  api: ApiClient
  name: string
}

/** What every view stands on. */
export interface AppState {
  say: Say
  /** BCP 47, for dates and numbers. */
  locale: string
  server: Server | null
  page: OpenPage
  placement: Placement
  view: ViewId
  go: (view: ViewId) => void
}

/** Given by `App`, around all views. */
export const AppContext = createContext<AppState | null>(null)

export function useApp(): AppState {
  const app = useContext(AppContext)
  if (app === null) throw new Error('This view stands outside of App.')
  return app
}

/** The host of an address, for people; the text itself where it is no address. */
export const displayHost = (url: string): string => URL.parse(url)?.host ?? url
