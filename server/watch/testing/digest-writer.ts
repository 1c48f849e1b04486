import { connect } from '../../db/connect.ts'
import { createLog } from '../../process/log.ts'
import { sendDigests } from '../digests/send-digests.ts'

// Writes the digests that are due at a moment, as one replica does. Its one argument is JSON.

const { url, now } = JSON.parse(process.argv[2] ?? '{}')
const { db, close } = await connect({ databaseUrl: url, dataDir: '', migrations: null })
const log = createLog({ write: (line) => process.stderr.write(line) })
process.stdout.write('begins\n')
await sendDigests({ db, now: () => new Date(now), log, baseUrl: 'https://aisle.example' })
await close()
