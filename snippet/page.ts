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
export const recordOf: (value: unknown) => Record<PropertyKey, unknown> = Object

/** Google's data layer, if the page has one: commands of `gtag()` and messages to Tag Manager. */
export type Layer = unknown[]

/** True if it threw: what the page around us does is its own business, and ends here. */
export const caught = (run: () => unknown): boolean | undefined => {
  try {
    run()
  } catch {
    return true
  }
  return undefined
}

/** What Plausible sends: the address of a page, and the properties of an event. */
interface PlausibleRequest {
  u: string
  p?: object
}

declare global {
  // Analytics products, as their documents describe them. Most pages lack most of them: the name of
  // one that is missing throws a ReferenceError, so each is used in `caught` alone.
  function gtag(...command: unknown[]): void
  /** Until Matomo has loaded and counted the visit, an array. */
  const _paq: unknown[][]
  const plausible: {
    (event: string, options: object): void
    o?: { transformRequest?: (request: PlausibleRequest) => PlausibleRequest }
  }
  const posthog: { register_for_session: (properties: object) => void }
  const umami: { track: (event: (payload: object) => object) => void }

  interface Document {
    /** https://wicg.github.io/nav-speculation/prerendering.html#document-prerendering */
    prerendering?: boolean
  }
  interface Navigator {
    /** https://www.w3.org/TR/gpc/#javascript-property-to-detect-preference */
    globalPrivacyControl?: boolean
  }
}
