import { plainRoute } from './plain-route.ts'

// The plain route in a process of its own, asked as `contestants.ts` is.

const plain = await plainRoute(process.argv[2] ?? '')
process.on('message', () => process.send?.(process.cpuUsage()))
process.stdout.write(`${JSON.stringify({ plain })}\n`)
