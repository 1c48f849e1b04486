import { STOP_TIMES } from '../../listener.ts'
import { LOST_MS } from '../checkout/sessions.ts'
import { OPEN_ACP } from '../dialects/acp/settings.ts'
import { serveStore } from '../serve.ts'

// The store as main.ts runs it, with the test PSP of another process. Its one argument is what its
// config has besides, as JSON. SIGUSR2 sets its clock forward, so that whatever is under way is lost.

let ahead = 0
process.on('SIGUSR2', () => {
  ahead = LOST_MS
})

const { port } = await serveStore(
  {
    port: 0,
    host: '127.0.0.1',
    dataDir: '',
    migrate: true,
    faults: [],
    official: false,
    trustedProxies: [],
    acp: OPEN_ACP,
    trustsProfiles: false,
    snippetUrl: undefined,
    hosts: undefined,
    adminKey: undefined,
    reporting: undefined,
    testHosts: [],
    metrics: { token: undefined, port: undefined, host: '127.0.0.1' },
    stopTimes: STOP_TIMES,
    ...JSON.parse(process.argv[2] ?? '{}'),
  },
  () => {},
  (now) => new Date(now.getTime() + ahead),
)
process.stdout.write(`${port}\n`)
