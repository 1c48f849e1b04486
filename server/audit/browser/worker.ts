import { asError } from '../../process/as-error.ts'
import { endChildren } from './family.ts'
import { removeProfile } from './profiles.ts'
import { type FromWorker, runBrowserTask, type ToWorker } from './tasks.ts'

/** The program of one task: it is told what to do, answers, and is ended by who started it. */
const say = (said: FromWorker) => process.connected && process.send?.(said)

let profile: string | null = null

// The process that started us was killed: we end the browser, and remove its profile.
process.once('disconnect', async () => {
  await endChildren(process.pid)
  if (profile !== null) await removeProfile(profile)
  process.exit()
})
process.once('message', (order: ToWorker) => {
  profile = order.profile
  runBrowserTask(order, (step) => say({ step })).then(
    (done) => say({ done }),
    (error: unknown) => say({ failed: asError(error).message.slice(0, 300) }),
  )
})
