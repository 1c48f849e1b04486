import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { freePort } from '../../testing/free-port.ts'
import { findAccount, preparePostgres } from '../embedded/binaries.ts'
import { joinCluster } from '../embedded/cluster.ts'

const START_MS = 20_000

/** A Postgres of a test's own, which it may restart. */
export async function ownCluster() {
  const dataDir = await mkdtemp(join(scratchFolder(), 'aisle-own-'))
  // While it is down, no connection of another test is given its port.
  const { url, leave } = await joinCluster(dataDir, freePort)
  const folder = join(dataDir, 'postgres')
  const cluster = join(folder, 'cluster')
  const run = await preparePostgres(await findAccount(folder))
  const start = ['-w', '-s', '-D', cluster, '-l', join(folder, 'log')]
  const port = ['-o', `-p ${new URL(url).port}`]

  return {
    url,
    dataDir,
    restart: () => run('pg_ctl', ['restart', '-m', 'fast', ...start, ...port]),
    /** Kills the postmaster, and starts another as soon as the memory of the first is free. */
    async crash() {
      const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      const until = performance.now() + START_MS
      for (;;) {
        try {
          return await run('pg_ctl', ['start', ...start, ...port])
        } catch (error) {
          if (performance.now() > until) throw error
          await sleep(50)
        }
      }
    },
    async close() {
      await leave()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
