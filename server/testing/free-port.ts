import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to connections (32,768 and up on Linux), so none of these is taken
 * meanwhile.
 */
const FIRST = 20_000
/** A range for each test process, other runs' on this machine included: their ids are in a row. */
const RANGE = 100
const RANGES = 120

const own = FIRST + RANGE * (process.pid % RANGES)
let given = 0

/** A free port of loopback that is not given to another test. */
export async function freePort(): Promise<number> {
  const port = own + (given++ % RANGE)
  return (await isFree(port)) ? port : freePort()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
