import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../../shared/testing/median.ts'
import { WALK_DIALECTS } from '../../../shared/walk/dialect.ts'
import { freePort } from '../../testing/free-port.ts'
import type { Walking } from './testing/walking.ts'

// The plainest purchase over loopback, in each dialect, and as a command.

/**
 * What an agent takes for it at most, and many times what it takes on a machine with other work.
 */
const MOST_MS = 3000
const MOST_MIB = 12
/** Of the memory of `aisle audit` for the same store, which loads much the same. */
const MOST_OF_AUDIT = 1.15
const RUNS = 5

const MIB = 2 ** 20
const print = (line: string) => process.stdout.write(`${line}\n`)

let store: ChildProcess
let port: number
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  port = await freePort()
  store = spawn(process.execPath, ['dist/store/main.js'], {
    env: {
      ...process.env,
      STORE_PORT: String(port),
      DATA_DIR: join(folder, 'store'),
      TEST_HOSTS: `*.example=http://127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (store.stdout) await once(store.stdout, 'data')
})

afterAll(async () => {
  store.kill()
  await once(store, 'exit')
  await rm(folder, { recursive: true, force: true })
})

test('a walk of one purchase takes at most 3 s, and leaves at most 12 MiB of memory', async () => {
  const walking = spawn(process.execPath, ['server/audit/walk/testing/walking.ts', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const walked: Walking[] = []
  for await (const line of createInterface(walking.stdout)) walked.push(JSON.parse(line))
  for (const { dialect, requests, ms, heapMost, heapLeft, rssLeft } of walked) {
    const [heap, rss, most] = [heapLeft, rssLeft, heapMost].map((bytes) => (bytes / MIB).toFixed(1))
    print(
      `walk over ${dialect}, ${requests} requests: median ${median(ms).toFixed(0)} ms, most ${Math.max(...ms).toFixed(0)} ms; after ${ms.length} of them ${heap} MiB of heap and ${rss} MiB resident more, at most ${most} MiB of heap meanwhile, garbage included`,
    )
    expect(median(ms)).toBeLessThanOrEqual(MOST_MS)
    expect(heapLeft / MIB).toBeLessThanOrEqual(MOST_MIB)
    expect(rssLeft / MIB).toBeLessThanOrEqual(MOST_MIB)
  }
  expect(walked.map(({ dialect }) => dialect)).toEqual([...WALK_DIALECTS])
})

/** Says at its end how much memory a process had at most, in KiB. */
const SAY_MOST = `data:text/javascript,import{isMainThread}from'node:worker_threads';isMainThread&&process.on('exit',()=>process.stderr.write('most '+process.resourceUsage().maxRSS+' '))`

/** One command of the CLI: the most memory that it had, in MiB, and what it took. */
async function commandOf(...args: string[]) {
  const started = performance.now()
  const command = spawn(process.execPath, ['--import', SAY_MOST, 'dist/cli.js', ...args], {
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'cli'),
      // Vite has one of its own.
      BASE_URL: 'https://aisle.example',
      TEST_HOSTS: `*.example=http://127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  command.stderr.on('data', (part) => {
    said += part
  })
  const [code] = await once(command, 'close')
  if (code !== 0) throw new Error(`aisle ${args.join(' ')} ended with ${code}: ${said}`)
  return {
    mib: Number(/most (\d+)/.exec(said)?.[1]) / 1024,
    ms: performance.now() - started,
  }
}

test('the command takes little more memory than an audit', async () => {
  const commands = {
    help: ['--help'],
    audit: ['audit', 'ucp.example'],
    walk: ['walk', 'ucp.example', '--yes-open-sessions'].concat(
      ['--intent', 'cheapest_variant'],
      ['--dialect', 'ucp_rest'],
    ),
  }
  const took = { help: [] as number[], audit: [] as number[], walk: [] as number[] }
  const waited: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    took.help.push((await commandOf(...commands.help)).mib)
    took.audit.push((await commandOf(...commands.audit)).mib)
    const { mib, ms } = await commandOf(...commands.walk)
    took.walk.push(mib)
    waited.push(ms)
  }
  const [help, audit, walk] = [median(took.help), median(took.audit), median(took.walk)]
  print(
    `aisle walk of one purchase: median ${median(waited).toFixed(0)} ms and ${walk.toFixed(0)} MiB at most, aisle audit ${audit.toFixed(0)} MiB (${(walk / audit).toFixed(2)}), aisle --help ${help.toFixed(0)} MiB`,
  )
  expect(median(waited)).toBeLessThanOrEqual(MOST_MS)
  expect(walk / audit).toBeLessThanOrEqual(MOST_OF_AUDIT)
})
