import { type Attempt, type DeliveryOutcome, judgeAttempt } from './schedule.ts'
import { takeDue } from './take-due.ts'

/** Who gets messages, and a message on its way there. */
type Receiver = { id: string }
type Delivery = { attempts: number }

/**
 * What is to be delivered, over tables of its own. A delivery belongs to who claimed it until its
 * lease is over, which is longer than an attempt takes: after a crash it is simply due again.
 */
export interface Outbox<To extends Receiver, What extends Delivery> {
  now: () => Date
  /** From 0 to 1, for the jitter. */
  random?: (() => number) | undefined
  /** Up to `most` receivers that something is due for. */
  due: (now: Date, most: number) => Promise<To[]>
  /** Leases what is due for one receiver, up to its limit of simultaneous deliveries. */
  claim: (to: To, lease: { now: Date; until: Date }) => Promise<What[]>
  /** Tries it once, well within its lease. `signal` hangs up. */
  send: (to: To, what: What, signal: AbortSignal) => Promise<Attempt>
  /** Milliseconds before each try; those of Standard Webhooks unless given. */
  delaysOf?: (to: To) => readonly number[]
  /** Stores the outcome of a try. */
  note: (to: To, what: What, outcome: DeliveryOutcome, now: Date) => Promise<void>
}

/** How long a delivery belongs to the process that claimed it. */
export const DELIVERY_LEASE_MS = 60_000

/** Nothing is cut short. */
export const NEVER = new AbortController().signal

// Unspecified: a receiver gives its slot to another after ten batches, or after one batch of which
// nothing arrived, so that one with a thousand messages does not delay the others.
const TURN = 10

/**
 * Delivers in the background, each receiver at its own pace, to `most` at a time. What is under way
 * when it stops is due again immediately. `onError` gets errors of our own database.
 */
export const runOutbox = <To extends Receiver, What extends Delivery>(
  outbox: Outbox<To, What>,
  onError: (error: unknown) => void,
  { everyMs = 1000, most = 100 } = {},
): { stop: () => Promise<void> } =>
  takeDue<To>({
    everyMs,
    most: () => most,
    take: async (free, running) => {
      const busy = new Set(running.map(({ id }) => id))
      const due = await outbox.due(outbox.now(), busy.size + free)
      return due.filter(({ id }) => !busy.has(id)).slice(0, free)
    },
    work: (to, signal) => deliverTo(outbox, to, signal),
    onError,
  })

/**
 * Delivers what is due for one receiver: for one turn, after which more may be due. What `signal`
 * ends counts as unsent.
 */
export async function deliverTo<To extends Receiver, What extends Delivery>(
  outbox: Outbox<To, What>,
  to: To,
  signal = NEVER,
): Promise<void> {
  for (let batches = 0; batches < TURN && !signal.aborted; batches += 1) {
    const now = outbox.now()
    const until = new Date(now.getTime() + DELIVERY_LEASE_MS)
    const batch = await outbox.claim(to, { now, until })
    // An error of one of them must not cut off the others.
    const ends = await Promise.allSettled(batch.map((what) => tryOnce(outbox, to, what, signal)))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    if (!ends.some((end) => end.status === 'fulfilled' && end.value)) return
  }
}

/** Whether it arrived. */
async function tryOnce<To extends Receiver, What extends Delivery>(
  { now, random = Math.random, send, delaysOf, note }: Outbox<To, What>,
  to: To,
  what: What,
  signal: AbortSignal,
): Promise<boolean> {
  const attempt = uncut(await send(to, what, signal), signal)
  const at = now()
  const tried = { failed: what.attempts, now: at, random }
  const outcome = judgeAttempt(attempt, { ...tried, ...(delaysOf && { delays: delaysOf(to) }) })
  await note(to, what, outcome, at)
  return outcome.is === 'delivered'
}

/** That there was no answer says nothing of the receiver where we hung up ourselves. */
const uncut = (attempt: Attempt, signal: AbortSignal): Attempt =>
  signal.aborted && attempt.is === 'failed' && attempt.status === null ? { is: 'unsent' } : attempt

/** What a try changes in its row, whose columns are the same in every outbox. */
export function changeOfTry({ attempts }: Delivery, outcome: DeliveryOutcome, now: Date) {
  if (outcome.is === 'unsent') return { leased_until: null }
  const tried = { attempts: attempts + 1, leased_until: null, last_status: outcome.status }
  if (outcome.is === 'delivered') {
    return { ...tried, last_error: null, next_at: null, delivered_at: now }
  }
  const next_at = outcome.is === 'retry' ? outcome.at : null
  return { ...tried, last_error: outcome.error, next_at }
}
