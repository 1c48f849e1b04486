import { STOP_TIMES } from '../../process/stop-times.ts'
import { LOST_MS } from '../checkout/sessions.ts'
import { serveStore } from '../serve.ts'
import { BARE_CONFIG } from './store-config.ts'

// The store as main.ts runs it, with the test PSP of another process. Its one argument is what its
// config has besides, as JSON. SIGUSR2 sets its clock forward, so that whatever is under way is
// lost.

let ahead = 0
process.on('SIGUSR2', () => {
  ahead = LOST_MS
})

const { port } = await serveStore(
  {
    ...BARE_CONFIG,
    stopTimes: STOP_TIMES,
    ...JSON.parse(process.argv[2] ?? '{}'),
  },
  () => {},
  (now) => new Date(now.getTime() + ahead),
)
process.stdout.write(`${port}\n`)
