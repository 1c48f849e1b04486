import type { Context } from 'hono'
import type { AuditProgress } from '../../shared/audit/result/progress.ts'
import type { ApiKey } from '../db/access/keys.ts'

/** The variables of a request, in hono's `c.var`. */
export interface ServerEnv {
  Variables: {
    /** Also in the answer's X-Request-Id and in the log. */
    requestId: string
    /** The code of the error that is the answer. */
    code?: string
    /** Set behind `frameBusyRoute`. */
    headers: Record<string, string>
    /** Set behind `requireKey`, `requireWebSession` and, for who is signed in, `knowViewer`. */
    key: ApiKey
    /**
     * Set for a request that anyone may send as often as they like: the log counts it instead of
     * giving it a line. Without an outcome it is the error's code, or else the status.
     */
    summed?: { property_id: string | null; outcome?: string }
  }
}

/** What a request from inside this process brings besides. */
export interface OwnCall {
  /** Called with the progress of an audit. */
  onAudit?: ((progress: AuditProgress) => void) | undefined
}

/** In hono's `c.env`, where a request from outside has nothing of these names. */
export const ownCallOf = (c: Context<ServerEnv>): OwnCall => (c.env ?? {}) as OwnCall
