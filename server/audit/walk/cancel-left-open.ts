import pLimit from 'p-limit'
import { type BuyerOperation, GIVEN_UP_MS } from '../../../shared/walk/operation.ts'
import { isEnded, type Reason, saysEnded, type WalkReply } from '../../../shared/walk/session.ts'
import { openPass } from '../owner-pass.ts'
import { type OpenedMcp, openMcp } from '../probe/mcp.ts'
import { auditSession } from '../probe/session.ts'
import { dialectAt } from './dialect-at.ts'
import type { OpenEntry } from './ledger.ts'
import type { CancelLeftOpen } from './order.ts'
import { sendCall } from './perform.ts'

/**
 * Sessions that are cancelled at a time, so that one store that hangs does not delay all others.
 */
const AT_ONCE = 4

/** What a sweep needs from outside. */
type SweepDeps = Parameters<CancelLeftOpen>[1]

/**
 * Cancels what dead walks left open. If the answer to an opening was never read, the opening is
 * sent again under its key: that returns the session's id and opens nothing new. A session that
 * cannot be cancelled now stays noted for the next sweep. Resolves to how many notes are closed.
 */
export const cancelLeftOpen: CancelLeftOpen = async (entries, deps) => {
  const limit = pLimit(AT_ONCE)
  const ends = await Promise.allSettled(
    entries.map((entry) =>
      limit(async () => !deps.signal?.aborted && (await cancelEntry(entry, deps))),
    ),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return ends.filter((end) => end.status === 'fulfilled' && end.value).length
}

/** Cancels the session of one note. True when the note can be closed. */
async function cancelEntry(entry: OpenEntry, deps: SweepDeps): Promise<boolean> {
  const age = deps.now().getTime() - Date.parse(entry.since)
  const isGivenUp = age >= GIVEN_UP_MS
  // After that the opening is not repeated: the store may have forgotten its key.
  const isDone = (isGivenUp && entry.session === null) || (await cancelOpening(entry, deps))
  if (!isDone && !isGivenUp) return false
  await deps.ledger.closed(entry.key)
  return true
}

/** Whether the session of this opening is closed, as far as its dialect shows. */
async function cancelOpening(
  { domain, opening, route, session: noted }: OpenEntry,
  { fetcher: plain, judges, newId, now, agentKey, openAccess }: SweepDeps,
): Promise<boolean> {
  const access = openAccess ? await openAccess(domain) : null
  const fetcher = access ? (await openPass(plain, access, now())).fetcher : plain
  const opened = fetcher.open()
  let mcp: OpenedMcp | null = null
  try {
    const session = auditSession(opened, judges)
    const dialect = dialectAt(route, { agentBase: session.agentBase, agentKey })
    if (dialect === null) return true
    if (dialect.name === 'ucp_mcp') {
      mcp = await openMcp(session, { url: route.endpoint, version: route.version })
    }
    /** Null if the dialect has no such operation. */
    const ask = async (operation: BuyerOperation): Promise<WalkReply | null> => {
      const call = dialect.call(operation)
      return call && dialect.read(operation, await sendCall(session, mcp, call))
    }
    const found = noted ?? sessionIn(await ask(opening))
    if (found === NONE) return true
    if (found === null) return false
    const reply = await ask({ op: 'cancel', id: found, key: newId() })
    if (reply === null) return true
    // A session that cannot be cancelled at all ends by itself.
    if (dialect.can.cancel === 'advised' && reply.is !== 'session') return reply.is !== 'silent'
    // A missing endpoint gives the same answer as a missing session; a read shows which it is.
    const shown =
      saysEnded(reply) && dialect.can.read ? await ask({ op: 'read', id: found }) : reply
    return shown !== null && isEnded(shown)
  } finally {
    await mcp?.close()
    await opened.close()
  }
}

const NONE = Symbol('no session was opened')

/** The session that a repeated opening returns; null if it cannot be learnt now. */
function sessionIn(reply: WalkReply | null): string | typeof NONE | null {
  if (reply?.is === 'session') return reply.session.id
  const isNone = reply?.is === 'refused' && !SAYS_NOTHING.has(reply.refusal.reason)
  return isNone ? NONE : null
}

/**
 * Refusals of the caller, or for the moment: they do not show whether the first request opened a
 * session. Any other refusal answers the request itself, as the first one did.
 */
const SAYS_NOTHING: ReadonlySet<Reason> = new Set([
  'caller',
  'too_many',
  'conflict',
  'failed',
  'other',
])
