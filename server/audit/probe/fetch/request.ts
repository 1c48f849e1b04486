const MIB = 1024 * 1024

/**
 * Decoded bytes that are read of each kind of answer. UCP asks fetchers of a profile for 128 KiB at
 * least (UCP overview, Fetching); pages and catalogs are bounded by what a process can hold. A feed
 * is read as it arrives, and never held.
 */
export const BODY_CAPS = {
  manifest: MIB / 4,
  page: 2 * MIB,
  catalog: 5 * MIB,
  feed: 64 * MIB,
} as const

/** One request. Never follows a redirect of a method that may change something. */
export interface FetchRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD'
  url: string
  /** Sent only to the first origin; `accept` is also sent to the origins that it redirects to. */
  headers?: Record<string, string>
  /** Instead of the fetcher's own, to see what a page answers to another. */
  userAgent?: string
  /** Not signed, to see what a store answers to that. */
  unsigned?: true
  json?: unknown
  /** JSON that is written already, sent byte for byte: a signature covers it. */
  jsonText?: string
  /** The most bytes of the decoded body; see BODY_CAPS. */
  maxBytes: number
  /** Receives the decompressed bytes (see `BodyOptions`); the Answer's body is then empty. */
  read?: (bytes: Uint8Array, headers: Record<string, string>) => boolean | Promise<boolean>
  /** `follow` unless given, and for GET and HEAD alone: any other redirect is the Answer itself. */
  redirect?: 'follow' | 'manual'
}
