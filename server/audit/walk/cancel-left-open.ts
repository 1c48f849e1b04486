import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import type { BuyerOperation, DialectCall } from '../../../shared/walk/operation.ts'
import { isOver, type WalkReply } from '../../../shared/walk/session.ts'
import { openMcp } from '../probe/mcp.ts'
import { auditSession } from '../probe/session.ts'
import { dialectAt } from './dialect-at.ts'
import type { OpenEntry } from './ledger.ts'
import type { CancelLeftOpen } from './order.ts'
import { sendCall } from './perform.ts'

// Unspecified: a session that nobody could cancel for a day has ended by itself: UCP's live for six
// hours where they do not say, the specification's for half an hour.
const GIVEN_UP_MS = 24 * 60 * 60_000

/** What a sweep needs from outside. */
type SweepDeps = Parameters<CancelLeftOpen>[1]

/**
 * Cancels what walks that are no longer alive left open. Where the answer to an opening was never
 * read, it is sent again under its key, which tells the session's id and opens nothing new. What
 * cannot be cancelled now stays noted for the next time. Resolves to how many notes are done with.
 */
export const cancelLeftOpen: CancelLeftOpen = async (entries, deps) => {
  let done = 0
  for (const entry of entries) {
    if (deps.signal?.aborted) break
    if (await cancelEntry(entry, deps)) done += 1
  }
  return done
}

/** The same for one note. True when it is done with. */
export async function cancelEntry(entry: OpenEntry, deps: SweepDeps): Promise<boolean> {
  const isDone = await cancelOpening(entry, deps)
  const age = deps.now().getTime() - Date.parse(entry.since)
  if (!isDone && age < GIVEN_UP_MS) return false
  await deps.ledger.closed(entry.key)
  return true
}

/** Whether nothing of this opening is open any more, as far as its dialect lets anybody know. */
async function cancelOpening(
  { call, route, session: noted }: OpenEntry,
  { fetcher, judges, newId, agentKey }: SweepDeps,
): Promise<boolean> {
  const opened = fetcher.open()
  const session = auditSession(opened, judges)
  const dialect = dialectAt(route, { agentBase: session.agentBase, agentKey })
  if (dialect === null) return true
  const mcp =
    call.over === 'mcp'
      ? await openMcp(session, { url: route.endpoint, version: route.version })
      : null
  try {
    const id = noted ?? (await findSession(dialect))
    if (id === null) return true
    if (id === undefined) return false
    const cancel = dialect.call({ op: 'cancel', id, key: newId() })
    if (cancel === null) return true
    const seen = await sendCall(session, mcp, cancel)
    const reply = dialect.read({ op: 'cancel', id, key: '' }, seen)
    return isEnded(reply, dialect)
  } finally {
    await mcp?.close()
    await opened.close()
  }

  /** Null where none was opened; undefined where that is not known. */
  async function findSession(dialect: WalkDialect): Promise<string | null | undefined> {
    const reply = dialect.read(OPENING, await sendCall(session, mcp, withKey(call, agentKey)))
    if (reply.is === 'session') return reply.session.id ?? undefined
    // What failed twice was not opened.
    return reply.is === 'refused' ? null : undefined
  }
}

/** The credential, which is never noted. */
const withKey = (call: DialectCall, agentKey: string | undefined): DialectCall =>
  call.over === 'http' && agentKey !== undefined
    ? { ...call, headers: { ...call.headers, authorization: `Bearer ${agentKey}` } }
    : call

/** What is asked once more: only that it opens is read of it. */
const OPENING: BuyerOperation = {
  op: 'open',
  wanted: { lines: [], address: null, option: null, coupon: null, currency: 'USD' },
  key: '',
  dryRun: false,
}

function isEnded(reply: WalkReply, { can }: WalkDialect): boolean {
  if (reply.is === 'session') return isOver(reply.session.phase)
  // What cannot be cancelled at all ends by itself.
  if (can.cancel === 'advised') return reply.is !== 'silent'
  return reply.is === 'refused' && reply.refusal.reason === 'ended'
}
