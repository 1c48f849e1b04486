import { asError } from '../../process/as-error.ts'
import { type FromWorker, runBrowserTask, type ToWorker } from './tasks.ts'

/** The program of one task: it is told what to do, answers, and is ended by who started it. */
const say = (said: FromWorker) => process.send?.(said)

// The process that started us is gone: the browser ends with its pipe.
process.once('disconnect', () => process.exit())
process.once('message', (order: ToWorker) => {
  runBrowserTask(order, (step) => say({ step })).then(
    (done) => say({ done }),
    (error: unknown) => say({ failed: asError(error).message.slice(0, 300) }),
  )
})
