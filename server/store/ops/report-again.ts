import { DAY_MS } from '../../../shared/web/moment.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { reportPaidSince } from '../checkout/report-paid.ts'
import { reportRefundsSince } from '../orders/report-refunds.ts'
import { repeat } from './repeat.ts'

const EVERY_MS = 1000

const AGAIN_MS = 7 * DAY_MS

type Reporting = Pick<StoreDeps, 'db' | 'now' | 'report'>

/**
 * Reports what was paid and refunded in the last week again, at the start of a store: it may have
 * died before it could. The orders come first, since a refund counts beside its order alone.
 */
export async function reportAgain(deps: Reporting): Promise<void> {
  const since = new Date(deps.now().getTime() - AGAIN_MS)
  await reportPaidSince(deps, since)
  await reportRefundsSince(deps, since)
}

/** Does so in the background, again and again until the database answers. */
export const runReportAgain = (deps: Reporting, onError: (error: unknown) => void) =>
  repeat(EVERY_MS, () => reportAgain(deps).then(() => 'done'), onError)
