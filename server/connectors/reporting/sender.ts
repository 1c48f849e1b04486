import { createAisle } from '../../../aisle-node/aisle.ts'
import type { AisleAnswer, AisleOutcome, AisleRequest } from '../../../aisle-node/index.d.ts'
import { post } from '../../../aisle-node/post.ts'
import type { ShopReport } from './reports.ts'
import { checkService } from './service-check.ts'

/** The reports of a shop that wait, in a table of the shop's own. */
export interface ReportTable {
  /** At most this many that wait: first what was tried least, then the oldest. */
  waiting(most: number): Promise<ShopReport[]>
  /** It waits no longer. `refused`: why Aisle will never take it; null: it has it. */
  settle(id: string, refused: string | null): Promise<void>
  /** It was tried once more, and waits on. */
  keep(id: string): Promise<void>
}

interface SenderOptions {
  url: string
  key: string
  domain: string
  /** The name of the plugin's package. */
  plugin: string
  table: ReportTable
  warn: (message: string) => void
}

const BATCH = 50

/** When three reports were not taken, the service is away, or wants none now. */
const MISSES = 3

/** That long it is left alone then, or longer if it asks for it. */
const REST_MS = 30_000
const LONGEST_REST_MS = 600_000

/** An answer to the event itself: it will be the same each time. */
const FINAL = [400, 409, 413, 415, 422]

/**
 * Sends what waits in a table, one report after the other, when it is told to. What Aisle does
 * not take stays there for the next time. `send` never rejects. It throws a `TypeError` if an
 * option is wrong.
 */
export function createReportSender(options: SenderOptions): { send: () => Promise<void> } {
  const { table, warn } = options
  let answer: AisleAnswer | null = null
  let outcome: AisleOutcome | null = null
  const aisle = createAisle({
    ...options,
    retryDelays: [],
    onResult: (each) => {
      outcome = each
    },
    send: async (request: AisleRequest, signal: AbortSignal) => {
      answer = await post(request, signal)
      return answer
    },
  })
  const checked = checkService({ ...options, url: options.url.replace(/\/+$/, '') })
  let restUntil = 0
  let said: string | null = null
  /** Each problem once, until it is another: an outage of a day must not fill the log. */
  const say = (message: string | null, problem = message) => {
    if (message !== null && problem !== said) warn(message)
    said = problem
  }

  /** Whether Aisle has it, or will never. */
  const settled = async ({ id, event }: ShopReport): Promise<boolean> => {
    answer = null
    const result = await aisle.report(event)
    const message = outcome?.message ?? null
    if (result === 'sent') {
      await table.settle(id, null)
      say(null)
      return true
    }
    // Without an answer, aisle-node itself refused the event.
    const status = readStatus(answer)
    if (result === 'refused' && (status === null || FINAL.includes(status))) {
      await table.settle(id, message ?? 'refused')
      warn(message ?? `${id} was refused.`)
      return true
    }
    await table.keep(id)
    say(message, `HTTP ${status}`)
    return false
  }

  const sendWaiting = async () => {
    if (performance.now() < restUntil) return
    const misfit = await checked()
    if (misfit !== null) return say(misfit)
    let misses = 0
    for (;;) {
      const reports = await table.waiting(BATCH)
      for (const report of reports) {
        if (!(await settled(report))) misses += 1
        if (misses >= MISSES) {
          restUntil = performance.now() + restOf(answer)
          return
        }
      }
      if (reports.length < BATCH) return
    }
  }

  let running: Promise<void> | null = null
  let isWanted = false
  const work = async () => {
    while (isWanted) {
      isWanted = false
      try {
        await sendWaiting()
      } catch (error) {
        // The shop's own database: what waits is still there, or there is nothing to be done.
        say(error instanceof Error ? error.message : String(error))
      }
    }
    running = null
  }
  return {
    send: () => {
      isWanted = true
      running ??= work()
      return running
    },
  }
}

const readStatus = (answer: AisleAnswer | null): number | null => answer?.status ?? null

/** In milliseconds; `Retry-After` in seconds is heard. */
function restOf(answer: AisleAnswer | null): number {
  const asked = Number(answer?.retryAfter ?? 0) * 1000
  return Math.min(Math.max(asked || 0, REST_MS), LONGEST_REST_MS)
}
