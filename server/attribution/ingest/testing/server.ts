import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Sql } from 'postgres'
import { expect } from 'vitest'
import { STORED_VISIT } from '../../../db/events/packed.ts'
import { program } from '../../../testing/program.ts'

/** A server that a test may kill as an operator or a crash would. */
interface RunningServer {
  origin: string
  /** Where it serves its metrics. */
  metrics: string
  /** What it logged. */
  logged: readonly string[]
  /** Resolves with the exit code; null where the signal ended it. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The real server as a process of its own, built once. */
export async function buildServer() {
  const path = await program('test-server')
  const running = new Set<ChildProcess>()

  async function start(databaseUrl: string): Promise<RunningServer> {
    const env = {
      PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dirname(path),
      STOP_DELAY: '0',
    }
    const child = spawn(process.execPath, [path, JSON.stringify(env)])
    running.add(child)
    const exited = once(child, 'exit').then(() => {
      running.delete(child)
      return child.exitCode
    })
    const output: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => output.push(line))
    const logged: string[] = []
    const ports = await new Promise<Record<string, number>>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        logged.push(line)
        if (line.includes('"listening"')) resolve(JSON.parse(line))
      })
      exited.then(() => reject(new Error(output.join('\n'))))
    })
    return {
      origin: `http://127.0.0.1:${ports.port}`,
      metrics: `http://127.0.0.1:${ports.metrics_port}/metrics`,
      logged,
      kill: async (signal) => {
        child.kill(signal)
        return exited
      },
    }
  }

  const killAll = () => {
    for (const child of running) child.kill('SIGKILL')
  }
  return { start, killAll }
}

/** The daily sums are those of the events, to the cent, and each session opened once. */
export async function expectExactSums(sql: Sql): Promise<void> {
  const differences = await sql`
    select * from (
      select domain, (ts at time zone 'UTC')::date as day, surface, kind, source,
        coalesce(currency, '') as currency,
        count(*) filter (where opens_session) as sessions,
        count(*) filter (where event = 'ai_product_viewed') as viewed,
        count(*) filter (where event = 'ai_checkout_initiated') as initiated,
        count(*) filter (where event = 'ai_checkout_completed') as completed,
        count(*) filter (where event = 'ai_checkout_failed') as failed,
        coalesce(sum(value) filter (where event = 'ai_checkout_completed'), 0) as revenue,
        count(*) filter (where event = 'ai_order_refunded') as refunds,
        coalesce(sum(value) filter (where event = 'ai_order_refunded'), 0) as refunded
      from events group by 1, 2, 3, 4, 5, 6
    ) counted
    full join rollup_daily kept using (domain, day, surface, kind, source, currency, sessions,
      viewed, initiated, completed, failed, revenue, refunds, refunded)
    where counted.domain is null or kept.domain is null
      or (counted.sessions is null) <> (kept.sessions is null)`
  expect(differences).toEqual([])
  const [sessions] = await sql`
    select (select count(*) from ai_sessions) as known,
      (select count(*) from events where opens_session) as opened,
      (select count(*) from (select distinct domain, ${sql.unsafe(STORED_VISIT)} from events) visits) as visits`
  expect(sessions?.opened).toBe(sessions?.known)
  expect(sessions?.visits).toBe(sessions?.known)
}
