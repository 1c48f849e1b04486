/**
 * The first session in this tab that an assistant brought: `{ id, surface, confidence }`. It may
 * come from storage, where another script may have written.
 */
export type Touch = Readonly<Record<string, unknown>>

/** What a page calls: see attribution.ts. */
export interface Api {
  session: () => Touch | null
  consent: (granted: boolean) => void
  push: (callback: (aisle: Api) => void) => void
}

/**
 * Google's data layer: commands of `gtag()` and messages to Tag Manager. Empty if the page has
 * none, or something else under that name: Google's scripts read nothing but an array.
 */
export type Layer = (Entry | null | undefined)[]

/** Values of the page may be anything; only this is read of them. */
interface Entry {
  0?: unknown
  1?: unknown
  2?: { analytics_storage?: unknown } | null
  event?: unknown
}

/** An array as it is, and an empty one for anything else. */
export const listOf = (value: unknown) => (Array.isArray(value) ? value : [])

/**
 * True if it threw or returned true, which means: try again later. Errors of the page around us end
 * here. Without a function it does nothing.
 */
export const caught = (run?: (() => unknown) | null): boolean => {
  try {
    return run?.() === true
  } catch {
    return true
  }
}

/** What Plausible sends: the address of a page, and the properties of an event. */
interface PlausibleRequest {
  u: string
  p?: object
}

interface Plausible {
  (event: string, options: object): void
  /** The options of a page whose Plausible has not started. */
  o?: { transformRequest?: (request: PlausibleRequest) => PlausibleRequest }
}

declare global {
  // Analytics products, as their documents describe them, while they are on the page. If one is
  // missing, naming it throws.
  const gtag: ((...command: unknown[]) => void) | undefined
  /** An array, until Matomo has loaded and counted the visit. */
  const _paq: unknown[][]
  const plausible: Plausible
  const posthog: { register_for_session: (properties: object) => void }
  /**
   * What Google's scripts read themselves, undocumented: each state is missing until it was set.
   */
  const google_tag_data: {
    ics: { entries: { analytics_storage: { default?: boolean; update?: boolean } } }
  }
  const umami: { track: (event: (payload: object) => object) => void }

  /** Its address is in `href`: there is no property to report for. */
  interface SVGScriptElement {
    src?: undefined
  }
  interface Window {
    /** A queue of callbacks before the script has loaded; any value of the page's own. */
    aisle: Partial<Api> | null | undefined
    [layer: string]: unknown
  }
  interface PerformanceEntry {
    /** Of a script from elsewhere, only where its server sends `Timing-Allow-Origin`. */
    transferSize: number
  }
  interface Document {
    /** https://wicg.github.io/nav-speculation/prerendering.html#document-prerendering */
    prerendering?: boolean
  }
  interface Navigator {
    /** https://www.w3.org/TR/gpc/#javascript-property-to-detect-preference */
    globalPrivacyControl?: boolean
  }
}
