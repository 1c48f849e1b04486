/** What the injected script reads from the open page. All of it is untrusted. */
export interface Collected {
  url: string
  content_type: string
  /** The page as it stands after its scripts, cut where no reader of ours goes on. */
  html: string
  served: Served
}

/** The same address asked for once more, without cookies: what an agent would be sent. */
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
