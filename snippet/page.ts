import type { Touch } from './start.ts'

/** What a page calls: see attribution.ts. */
export interface Api {
  session: () => Touch | null
  consent: (granted: boolean) => void
  push: (callback: (aisle: Api) => void) => void
}

/**
 * The window with what other scripts put into it, as their documents describe it. Any of it may be
 * missing or something else, and then its use throws: it is used in `attempt` alone.
 */
export interface Page extends Window {
  document: Document & { prerendering?: boolean }
  /** Before this script, a queue of callbacks. */
  aisle?: Api | (((aisle: Api) => void)[] & { session?: undefined })
  gtag: unknown
  _paq: { push: (command: unknown[]) => void; unshift?: (command: unknown[]) => void }
  plausible: Plausible
  posthog: { register_for_session: (properties: object) => void }
  umami: { track: (describe: (event: object) => object) => void }
}

/** Google's data layer: arguments of `gtag()` and messages to Tag Manager. */
export type Layer = ({ readonly [key: string | number]: unknown } | null)[]

/** The stub that queues, and the tracker that has loaded. */
export interface Plausible {
  (event: string, options: object): void
  /** What the stub's `init` was given. */
  o?: { transformRequest?: (request: PlausibleRequest) => PlausibleRequest | null }
  /** The tracker has loaded. */
  l?: boolean
}

export interface PlausibleRequest {
  u: string
  p?: object
}
