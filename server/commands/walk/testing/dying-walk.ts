import { openFileLedger } from '../walk-ledger.ts'
import { entryOf } from './entries.ts'

// A walk that opens two checkouts, closes one and lives until it is killed. The number is of the
// step after which it reports: `node dying-walk.ts <folder> <domain> <step>`.

const [folder = '', domain = '', step = '0'] = process.argv.slice(2)
const ledger = await openFileLedger(folder, domain)
const steps = [
  () => ledger.opening(entryOf(domain, 'one')),
  () => ledger.opened('one', 'session of one'),
  () => ledger.opening(entryOf(domain, 'two')),
  () => ledger.closed('one'),
]
for (const take of steps.slice(0, Number(step))) await take()
// Not through the log: the parent waits for it.
process.send?.('ready')
setInterval(() => {}, 60_000)
