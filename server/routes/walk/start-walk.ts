import type { Context } from 'hono'
import { requireDomain, requireScope } from '../../access/auth.ts'
import type { WalkOrder } from '../../audit/walk/order.ts'
import { tenantOf } from '../../db/access/keys.ts'
import type { WalkLine } from '../../db/audit/walks.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import type { ServerEnv } from '../../http/env.ts'
import { giveRequestBack, limitRequests, WALK_QUOTA } from '../../http/rate-limit.ts'

/** Starts a walk for the key of a request, and counts it. */
export function walkStarter({ db, walks }: Pick<Deps, 'db' | 'walks'>) {
  const count = limitRequests(db, WALK_QUOTA)
  const giveBack = giveRequestBack(db, WALK_QUOTA)
  return async (c: Context<ServerEnv>, order: WalkOrder): Promise<WalkLine> => {
    // Unspecified: a key for `*` may walk in any store. A walk is always asked for by name, like
    // `agents: true` of an audit, and `*` is the operator's own word.
    requireDomain(c, order.domain)
    if (order.mode === 'sandbox') requireScope(c, 'walk')
    await count(c)
    try {
      return await walks.start({ ...order, covered: c.var.key.domains }, tenantOf(c.var.key))
    } catch (error) {
      // Unspecified: a refused walk, because another is running or the service stops, does not
      // count.
      if (error instanceof ApiError) await giveBack(c)
      throw error
    }
  }
}
