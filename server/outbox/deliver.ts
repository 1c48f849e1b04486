import type { Outbox } from './outbox.ts'
import { type Attempt, judgeAttempt } from './schedule.ts'

const NEVER = new AbortController().signal

// Unspecified: a receiver gives its slot to another after ten batches, or after one batch of which
// nothing arrived, so that one with a thousand messages does not delay the others.
const TURN = 10

/**
 * Delivers what is due for one receiver: for one turn, after which more may be due. What `signal`
 * ends counts as unsent.
 */
export async function deliverTo<Receiver extends { id: string }, Delivery>(
  outbox: Outbox<Receiver, Delivery>,
  receiver: Receiver,
  signal: AbortSignal = NEVER,
): Promise<void> {
  for (let batches = 0; batches < TURN && !signal.aborted; batches += 1) {
    const batch = await outbox.claim(receiver, outbox.now())
    if (batch.length === 0) return
    if (!(await deliverBatch(outbox, receiver, batch, signal))) return
  }
}

/** Whether anything of the batch arrived. */
async function deliverBatch<Receiver extends { id: string }, Delivery>(
  outbox: Outbox<Receiver, Delivery>,
  receiver: Receiver,
  batch: readonly Delivery[],
  signal: AbortSignal,
): Promise<boolean> {
  const { now, random = Math.random } = outbox
  const sending = outbox.open()
  const hangUp = () => void sending.close()
  signal.addEventListener('abort', hangUp, { once: true })
  // It may have been while the batch was claimed.
  if (signal.aborted) hangUp()
  try {
    // An error of one of them must not cut off the others.
    const noted = await Promise.allSettled(
      batch.map(async (delivery) => {
        const attempt = uncut(await sending.send(receiver, delivery), signal)
        const at = now()
        const outcome = judgeAttempt(attempt, {
          failed: outbox.failedOf(delivery),
          now: at,
          random,
          ...(outbox.delaysOf && { delays: outbox.delaysOf(receiver) }),
        })
        await outbox.note(receiver, delivery, outcome, at)
        return outcome.is === 'delivered'
      }),
    )
    for (const each of noted) if (each.status === 'rejected') throw each.reason
    return noted.some((each) => each.status === 'fulfilled' && each.value)
  } finally {
    signal.removeEventListener('abort', hangUp)
    await sending.close()
  }
}

/** That there was no answer says nothing of the receiver where we hung up ourselves. */
const uncut = (attempt: Attempt, signal: AbortSignal): Attempt =>
  signal.aborted && attempt.is === 'failed' && attempt.status === null ? { is: 'unsent' } : attempt
