import { plainRoute } from './plain-route.ts'

// The plain routes in a process of their own, asked as `contestants.ts` is.

const [url = ''] = process.argv.slice(2)
const plain = await plainRoute(url, { isTuned: false })
const tuned = await plainRoute(url, { isTuned: true })
process.on('message', () => process.send?.(process.cpuUsage()))
process.stdout.write(`${JSON.stringify({ plain, tuned })}\n`)
