import type { PageControls } from '../../../shared/markup/control.ts'

/** What the injected script reads from the open page. All of it is untrusted. */
export interface Collected {
  url: string
  content_type: string
  /** The status that the open page came with; null where the browser does not say. */
  status: number | null
  /** The page after its scripts ran, cut where our readers stop. */
  html: string
  /** Its buttons, links and fields as styles show them. */
  controls: PageControls
  served: Served
}

/** The same address fetched again, without cookies: what an agent would get. */
export type Served =
  | {
      kind: 'answer'
      status: number
      final_url: string
      /** Names in lower case; only those that a rule reads. */
      headers: Record<string, string>
      body: string
      truncated: boolean
      ms: number
    }
  | { kind: 'failed'; why: 'timeout' | 'unreachable' | 'unreadable' }
