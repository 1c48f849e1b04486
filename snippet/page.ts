/** The session that an assistant brought, by the first touch of it in this tab. */
export interface Touch {
  id: string
  surface: string
  /** 0.5 to 0.99. */
  confidence: number
}

/** What a page calls: see attribution.ts. */
export interface Api {
  session: () => Touch | null
  consent: (granted: boolean) => void
  push: (callback: Callback) => void
}

type Callback = (aisle: Api) => void

/** Google's data layer: arguments of `gtag()` and messages to Tag Manager, if not anything else. */
export type Layer = Entry[]
export interface Entry {
  readonly [key: string | number]: unknown
}

/** What Plausible sends: the address of a page, and the properties of an event. */
interface PlausibleRequest {
  u: string
  p?: object
}

/**
 * What other scripts put into the window, as their documents describe it. Any of it may be missing
 * or something else, and then its use throws: it is used in `caught` alone.
 */
declare global {
  interface Window {
    /** A queue of callbacks, until this script has loaded. */
    aisle?: Api | (Callback[] & { session?: undefined })
  }
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
    /** https://wicg.github.io/nav-speculation/prerendering.html */
    prerendering?: boolean
  }
  interface Navigator {
    /** https://www.w3.org/TR/gpc/ */
    globalPrivacyControl?: boolean
  }
}
