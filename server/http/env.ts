import type { ApiKey } from '../db/keys.ts'

/** The variables of a request, in hono's `c.var`. */
export interface ServerEnv {
  Variables: {
    /** Also in the answer's X-Request-Id and in the log. */
    requestId: string
    /** Set behind `frameBusyRoute`. */
    headers: Record<string, string>
    /** Set behind `requireKey`. */
    key: ApiKey
  }
}
