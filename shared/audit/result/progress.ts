/**
 * What an audit looks at, in the order in which it is shown; `judging` is the last thing it does.
 */
export const AUDIT_PARTS = [
  'site',
  'homePage',
  'robots',
  'manifest',
  'catalog',
  'productPages',
  'feed',
  'checkout',
  'ucp',
  'acp',
  'access',
  'judging',
] as const
export type AuditPart = (typeof AUDIT_PARTS)[number]

/** How far an audit has come. */
export interface AuditProgress {
  /**
   * What it looks at; a part that is not asked for is left out. Empty while it waits for its turn.
   */
  parts: { part: AuditPart; done: boolean }[]
  /** The addresses that are being read, oldest first. */
  asking: string[]
  /** How many requests were sent so far. */
  requests: number
}

export const NO_PROGRESS: AuditProgress = { parts: [], asking: [], requests: 0 }

export type RunState = 'under_way' | 'done' | 'failed' | 'cancelled'

/** An audit that somebody waits for. */
export interface RunSeen {
  state: RunState
  progress: AuditProgress
  /** Why it failed, as a sentence that says what to do; null unless it did. */
  why: string | null
}
