import { and, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { runSweep, sliceOf } from '../../db/retention/sweep.ts'
import {
  isOfficialProtocol,
  type OfficialProtocol,
  type Protocol,
  type SessionStatus,
} from '../db/statuses.ts'
import {
  type CheckoutSession,
  type OfficialState,
  type Order,
  orders,
  sessions,
  type Tx,
} from '../db/tables.ts'
import { orderOfSession } from '../orders/orders.ts'
import type { Snapshot } from './answers.ts'
import { type EarlierChange, findChange, type IdempotentCall } from './idempotency.ts'
import type { CheckoutRefusal } from './refusals.ts'

/** A session of an official dialect, with the data that the dialect adds. */
export type OfficialSession = CheckoutSession & {
  protocol: OfficialProtocol
  official: OfficialState
}

export const isOfficialSession = (session: CheckoutSession): session is OfficialSession =>
  isOfficialProtocol(session.protocol) && session.official !== null

/** Locks the session: no other transaction changes it until this one ends. */
export async function lockSession(tx: Tx, id: string): Promise<CheckoutSession | undefined> {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, id)).for('update')
  return session
}

/** Reads a session without a lock, for calls that do not change it. */
export async function findSession(db: Db | Tx, id: string): Promise<CheckoutSession | undefined> {
  const [session] = await db.select().from(sessions).where(eq(sessions.id, id))
  return session
}

/** Reads a session and its order in one snapshot; no lock. */
export async function findWithOrder(
  db: Db,
  id: string,
): Promise<{ session: CheckoutSession; order: Order | null } | undefined> {
  const [found] = await db
    .select({ session: sessions, order: orders })
    .from(sessions)
    .leftJoin(orders, eq(orders.session_id, sessions.id))
    .where(eq(sessions.id, id))
  return found
}

/** A call about a session. */
export interface SessionCall {
  protocol: Protocol
  id: string
  /** Null without a key of the agent. */
  keyed: IdempotentCall | null
  /** Whether the caller may see it: otherwise it does not exist for this caller. */
  isTheirs?: (session: OfficialSession) => boolean
}

/** The locked session of a call, and what is stored under its key. */
interface Entered {
  session: CheckoutSession
  earlier: EarlierChange | null
}

/** Locks the session of a call and looks its key up; null if there is no such session. */
export async function enterSession(
  tx: Tx,
  { protocol, id, keyed, isTheirs }: SessionCall,
  now: () => Date,
): Promise<Entered | null> {
  // Sent together: the second statement runs once the lock is held.
  const [session, earlier] = await Promise.all([
    lockSession(tx, id),
    keyed && findChange(tx, keyed, now()),
  ])
  if (session?.protocol !== protocol) return null
  const isVisible = !isTheirs || (isOfficialSession(session) && isTheirs(session))
  return isVisible ? { session, earlier } : null
}

/** A locked session with its order, which it has if it was ever completed. */
export async function snapshotOf(tx: Tx, session: CheckoutSession, now: Date): Promise<Snapshot> {
  // A payment that failed after its order was placed counts as a decline.
  const mayHave = session.status === 'completed' || session.declines > 0
  const order = mayHave ? await orderOfSession(tx, session.id) : undefined
  return { session: sessionAt(session, now), order }
}

/** Whether a session has ended. While its payment is in progress it has not ended. */
export const isFinal = ({ session, order }: Snapshot): boolean =>
  session.status === 'canceled' ||
  session.status === 'expired' ||
  (session.status === 'completed' && order?.status !== 'awaiting_payment')

/** The events of a checkout session. */
export const SESSION_TRIGGERS = [
  'update',
  'short',
  'charge',
  'pay',
  'decline',
  'lose',
  'expire',
  'fail',
  'cancel',
] as const
type SessionTrigger = (typeof SESSION_TRIGGERS)[number]

// Unspecified: after a decline or a shortage a session stays open, so that another token or a new
// delivery can still complete it; an expiry ends it.
const SESSIONS: Readonly<Record<SessionStatus, Partial<Record<SessionTrigger, SessionStatus>>>> = {
  pending_confirmation: {
    update: 'pending_confirmation',
    /** Out of stock: nothing was reserved. */
    short: 'pending_confirmation',
    /** Stock is reserved, and the PSP is being asked. */
    charge: 'completing',
    expire: 'expired',
    cancel: 'canceled',
    /** The PSP reports a payment late that we had written off. */
    pay: 'completed',
  },
  completing: {
    /** The PSP took the charge: there is an order, paid or awaiting the result. */
    pay: 'completed',
    decline: 'pending_confirmation',
    /** The PSP knows of no charge. */
    lose: 'pending_confirmation',
  },
  completed: {
    /** Its order's payment failed after all: spec, "mark the order failed; allow retry". */
    fail: 'pending_confirmation',
  },
  expired: { pay: 'completed' },
  /** Money came after all: the order stays, and a person must check it. */
  canceled: { pay: 'completed' },
}

/** The state after an event; null if this state does not allow it. */
export const nextSession = (from: SessionStatus, trigger: SessionTrigger): SessionStatus | null =>
  SESSIONS[from][trigger] ?? null

/**
 * Moves a locked session to another state, with further changes. Throws if the state does not allow
 * it.
 */
export async function changeSession(
  tx: Tx,
  session: CheckoutSession,
  event: SessionTrigger,
  change: Partial<CheckoutSession> = {},
): Promise<CheckoutSession> {
  const status = nextSession(session.status, event)
  if (status === null)
    throw new Error(`A session in the state ${session.status} does not allow ${event}.`)
  const moved = { ...change, status }
  await tx.update(sessions).set(moved).where(eq(sessions.id, session.id))
  return { ...session, ...moved }
}

/**
 * How long a session stays open, in minutes. Spec, Limits: ACP's "Default 15 minutes from
 * creation"; for UCP's carts it advises 15 to 30. Unspecified: sessions of the official dialects
 * live for six hours, which official UCP assumes if a session names no end: a buyer may have to
 * finish one by hand.
 */
const SESSION_LIFETIME_MINUTES = {
  acp: 15,
  ucp: 20,
  ucp_official: 360,
  acp_official: 360,
} as const satisfies Record<CheckoutSession['protocol'], number>

/** The end of a session that is opened, or reopened, at this moment. */
export const expiryFrom = (protocol: CheckoutSession['protocol'], now: Date): Date =>
  new Date(now.getTime() + SESSION_LIFETIME_MINUTES[protocol] * 60_000)

/** The session now: its time may be over before the sweeper has stored that. */
export const sessionAt = <Session extends CheckoutSession>(session: Session, now: Date): Session =>
  session.status === 'pending_confirmation' && isOver(session, now)
    ? { ...session, status: 'expired' }
    : session

const isOver = (session: CheckoutSession, now: Date): boolean =>
  session.expires_at.getTime() <= now.getTime()

/** Why a locked session cannot be changed; null if it can. One whose time is over expires here. */
export async function closedRefusal(
  tx: Tx,
  session: CheckoutSession,
  now: Date,
): Promise<CheckoutRefusal | null> {
  const { status } = sessionAt(session, now)
  if (status === 'expired') {
    if (session.status !== 'expired') await changeSession(tx, session, 'expire')
    return {
      code: 'session_expired',
      message: 'This checkout has expired, and nothing was charged. Please start again.',
    }
  }
  if (status === 'pending_confirmation') return null
  if (status === 'canceled') return CANCELED
  return {
    code: 'session_closed',
    message: 'This order is being paid or has already been paid, so it can no longer be changed.',
  }
}

const CANCELED = {
  code: 'session_closed',
  message: 'This checkout was canceled, and nothing was charged. Please start again.',
} as const

/** The refusal to change a session whose last try may still reach the PSP. */
export const LAST_TRY_OPEN = {
  code: 'session_closed',
  message:
    'The last payment may still go through, so this checkout can no longer be changed. Send the ' +
    'payment again to get its result: you will be charged at most once.',
} as const

/**
 * After this time the process that asked the PSP counts as dead: charges are never sent so late.
 */
export const LOST_MS = 30_000

/** Whether a payment has been in progress for so long that its process must be dead. */
export const isLost = ({ completing_since }: CheckoutSession, now: Date): boolean =>
  completing_since !== null && now.getTime() - completing_since.getTime() >= LOST_MS

/**
 * Sessions that a crash left in the middle of their payment. In random order, so that those that
 * cannot be resolved do not block the others.
 */
export const lostSessions = (db: Db, now: Date): Promise<CheckoutSession[]> =>
  db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.status, 'completing'),
        lte(sessions.completing_since, new Date(now.getTime() - LOST_MS)),
      ),
    )
    .orderBy(sql`random()`)
    .limit(100)

/** Ends the sessions whose time is over, except those with a payment in progress. */
export const expireSessions = (db: Db, now: Date, signal?: AbortSignal) =>
  runSweep(
    db.$client,
    'store.sessions to expire',
    sliceOf(
      'store.sessions',
      {
        key: 'id',
        where: "status = 'pending_confirmation' and expires_at < $1::timestamptz",
        by: 'expires_at',
      },
      [now.toISOString()],
      "update store.sessions set status = 'expired'",
    ),
    signal,
  )

/** Names the scope of keys that complete a session. */
export const completionScope = ({
  protocol,
  id,
}: Pick<CheckoutSession, 'protocol' | 'id'>): string => `${protocol}:complete:${id}`

/** The key of a charge: a new one after each decline, the same for a try without an answer. */
export const chargeKey = ({ id, declines }: Pick<CheckoutSession, 'id' | 'declines'>): string =>
  declines === 0 ? id : `${id}.${declines}`
