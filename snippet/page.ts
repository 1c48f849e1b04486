/**
 * The session that an assistant brought, the first one of this tab: `{ id, surface, confidence }`.
 * It may have been read from storage, where another script may have written.
 */
export type Touch = Readonly<Record<string, unknown>>

/** What a page calls: see attribution.ts. */
export interface Api {
  session: () => Touch | null
  consent: (granted: boolean) => void
  push: (callback: (aisle: Api) => void) => void
}

/**
 * The properties of any value, and none of `null` and `undefined`. What a page or its scripts made
 * may be anything, so each property is `unknown` until it is looked at.
 */
export const propertiesOf: (value: unknown) => Record<PropertyKey, unknown> = Object

/**
 * Google's data layer: commands of `gtag()` and messages to Tag Manager. Empty where the page has
 * none, or something else under that name: Google's scripts read nothing but an array.
 */
export type Layer = (Entry | null | undefined)[]

/** What a page put there may be anything, of which nothing but this is looked at. */
interface Entry {
  0?: unknown
  1?: unknown
  2?: { analytics_storage?: unknown } | null
  event?: unknown
}

/** An array as it is, and an empty one for anything else. */
export const listOf = (value: unknown) => (Array.isArray(value) ? value : [])

/**
 * True if it threw or answered true, which says: ask again later. What the page around us does is
 * its own business, and whatever it throws ends here. Where there is nothing to run, it does
 * nothing.
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
  /** The options of a page whose Plausible has not begun. */
  o?: { transformRequest?: (request: PlausibleRequest) => PlausibleRequest }
}

declare global {
  // Analytics products, as their documents describe them, while they are on the page. Where one is
  // not, its mere name throws.
  const gtag: ((...command: unknown[]) => void) | undefined
  /** Until Matomo has loaded and counted the visit, an array. */
  const _paq: unknown[][]
  const plausible: Plausible
  const posthog: { register_for_session: (properties: object) => void }
  /**
   * What Google's scripts read themselves, and no document describes: each state is missing until
   * somebody has set it.
   */
  const google_tag_data: {
    ics: { entries: { analytics_storage: { default?: boolean; update?: boolean } } }
  }
  const umami: { track: (event: (payload: object) => object) => void }

  /** Its address is in `href`: there is no property to report for. */
  interface SVGScriptElement {
    src?: undefined
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
