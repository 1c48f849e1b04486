import { request } from 'node:http'
import { rulesOf } from '../../../shared/audit/checks/index.ts'
import { NO_LINKS, toResult } from '../../../shared/audit/result/result.ts'
import { gap, pass } from '../../../shared/audit/rule.ts'
import { NO_ACCESS } from '../../access/testing/no-access.ts'
import { connect } from '../../db/connect.ts'
import { createLog } from '../../process/log.ts'
import { createWatchScheduler } from '../scheduler.ts'

// A replica that runs only watches, with a faster clock. It audits by one request to a local
// server, which answers for all domains with their gaps.

const {
  DATABASE_URL = '',
  ANSWERS = '',
  BEGAN = '0',
  START = '0',
  SPEED = '1',
  PLACES = '4',
} = process.env
const speed = Number(SPEED)
const now = () => new Date(Number(START) + (Date.now() - Number(BEGAN)) * speed)

/** The gaps of a domain now. */
const gapsOf = (domain: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const asked = request(`${ANSWERS}/${domain}`, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve(JSON.parse(text)))
    })
    asked.on('error', reject)
    asked.end()
  })

const database = await connect({ databaseUrl: DATABASE_URL, dataDir: '', migrations: null })
const scheduler = createWatchScheduler({
  db: database.db,
  now,
  log: createLog(),
  baseUrl: 'https://aisle.example',
  siteAccess: NO_ACCESS,
  walks: {
    join: () => {
      throw new Error('Nothing is walked here.')
    },
  },
  audit: async ({ domain, checks }) => {
    const open = await gapsOf(domain)
    const outcomes = rulesOf(checks).map((rule) => ({
      rule,
      verdict: rule.gap !== null && open.includes(rule.gap) ? gap('It is wrong.') : pass(),
    }))
    return { result: toResult(domain, checks, outcomes, now(), NO_LINKS), titles: [], answers: {} }
  },
  isBusy: () => false,
  everyMs: 50,
  slots: Number(PLACES),
  // Four minutes of the day: less than a check may be late.
  leaseMs: 240_000,
  heartbeatMs: 500,
})
scheduler.start()
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const { heapUsed: heap } = process.memoryUsage()
  process.send?.({ ...scheduler.load(), heap, cpuMs: (user + system) / 1000 })
})
process.on('SIGTERM', async () => {
  await scheduler.stop()
  await database.close()
  process.exit(0)
})
