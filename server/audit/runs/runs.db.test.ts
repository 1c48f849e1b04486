import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { createAuditRuns } from './runs.ts'

const { db } = await testDatabase()
const runs = createAuditRuns({ db, now: () => new Date(), log: createLog({ write: () => {} }) })

test('an audit that is being admitted while the service stops says that it was restarted', async () => {
  const run = {
    domain: 'late.example',
    by: 'stranger' as const,
    admit: () => runs.stop(0),
    audit: (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    keep: async () => null,
  }
  const row = await runs.start(run)
  await eventually(() => runs.read(row)).toMatchObject({
    state: 'failed',
    why: 'The service was restarted. Start the audit again.',
  })
  await expect(runs.start(run)).rejects.toMatchObject({ status: 503 })
})
