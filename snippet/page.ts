import type { Touch } from './attribution.ts'

/** What a page calls: see attribution.ts. */
export interface Api {
  session: () => Touch | null
  consent: (granted: boolean) => void
  push: (callback: (aisle: Api) => void) => void
}

/** Google's data layer: arguments of `gtag()` and messages to Tag Manager. */
export type Layer = { readonly [key: string | number]: unknown }[]

/**
 * What other scripts put into the window, as their documents describe it. Any of it may be missing
 * or something else, and then its use throws: it is used in `attempt` alone.
 */
declare global {
  /** Before this script has loaded, a queue of callbacks. */
  var aisle: Api | (((aisle: Api) => void)[] & { session?: undefined }) | undefined
  var gtag: (...command: unknown[]) => void
  var _paq: { push: (command: unknown[]) => void; unshift?: (command: unknown[]) => void }
  var plausible: (event: string, options: object) => void
  var posthog: { register_for_session: (properties: object) => void }
  var umami: { track: (event: string, data: object) => void }
  interface Document {
    prerendering?: boolean
  }
  interface Navigator {
    /** https://www.w3.org/TR/gpc/ */
    globalPrivacyControl?: boolean
  }
}
