import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import pLimit from 'p-limit'
import type { TestHosts } from '../probe/fetch/test-hosts.ts'
import { workerFile } from '../worker-file.ts'
import { endFamily, familyOf } from './family.ts'
import { makeProfile, removeOldProfiles, removeProfile } from './profiles.ts'
import type { BrowserTasks, FromWorker, ToWorker } from './tasks.ts'

/**
 * Why nothing was seen with a browser: there is none, others use it, it took more time or memory
 * than it may, it failed, or the caller stopped it. None of them says anything about the store.
 */
export type Unseen = 'no_browser' | 'busy' | 'time' | 'memory' | 'failed' | 'stopped'

type BrowserSeen<T> = { done: T } | { unseen: Unseen; why: string }

/** A browser as a second pair of hands: each task has one of its own, with a fresh profile. */
export interface Browsers {
  /** Resolves in any case. `onStep` is called with what the task tells on the way. */
  run<K extends keyof BrowserTasks>(
    task: K,
    input: BrowserTasks[K]['input'],
    hooks?: { signal?: AbortSignal | undefined; onStep?: (step: BrowserTasks[K]['step']) => void },
  ): Promise<BrowserSeen<BrowserTasks[K]['output']>>
  close(): Promise<void>
}

interface BrowsersOptions {
  /** The browser's program; null: there is none. */
  path: string | null
  userAgent: string
  testHosts: TestHosts
  /** Milliseconds on the clock for a task, instead of its own. */
  mostMs?: number
  /** Bytes that the browser and its worker may hold. */
  mostBytes?: number
  /** Tasks at a time; more wait. */
  most?: number
}

/** Of each task, on the clock. */
const MOST_MS: Record<keyof BrowserTasks, number> = {
  visit: 60_000,
  tools: 2 * 60_000,
  pages: 5 * 60_000,
}
const MOST_BYTES = 1_400 * 1024 * 1024
const MOST_WAITING = 20
/** How often memory is looked at. */
const WATCH_MS = 400

const NO_BROWSER =
  'No browser was found: install Chromium, or name one with BROWSER. Nothing that only a browser shows was seen.'

const NOT_STARTED = { unseen: 'failed', why: 'The browser could not be started.' } as const
/** Such as the programs of some tests, which are bundled without it. */
const NO_WORKER = {
  unseen: 'no_browser',
  why: 'The program that drives a browser is missing in this installation.',
} as const

/**
 * Each task runs in a process of its own, which holds what drives the browser and its way to the
 * network, so that no page can reach the service's memory, time or network. It is ended with the
 * browser and all their processes when the task is over, takes too much, or we stop.
 */
export function createBrowsers(options: BrowsersOptions): Browsers {
  const { path, mostMs, mostBytes = MOST_BYTES, most = 1, ...settings } = options
  const places = pLimit(most)
  let isSwept = false
  const closing = new AbortController()
  return {
    async run(task, input, { signal, onStep } = {}) {
      if (path === null) return { unseen: 'no_browser', why: NO_BROWSER }
      if (places.pendingCount >= MOST_WAITING) {
        return { unseen: 'busy', why: 'Too many are waiting for the browser. Try again later.' }
      }
      const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      return places(async () => {
        if (!isSwept) await removeOldProfiles()
        isSwept = true
        const order = { task, input, path, ...settings }
        const bounds = { mostMs: mostMs ?? MOST_MS[task], mostBytes, stop, onStep }
        return runAlone(order, bounds).catch(() => NOT_STARTED)
      })
    },
    async close() {
      closing.abort()
      // What runs is ended first, and what still waits then ends immediately.
      while (places.activeCount + places.pendingCount > 0) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

interface Bounds<K extends keyof BrowserTasks> {
  mostMs: number
  mostBytes: number
  stop: AbortSignal
  onStep: ((step: BrowserTasks[K]['step']) => void) | undefined
}

async function runAlone<K extends keyof BrowserTasks>(
  order: Omit<ToWorker<K>, 'profile'>,
  { mostMs, mostBytes, stop, onStep }: Bounds<K>,
): Promise<BrowserSeen<BrowserTasks[K]['output']>> {
  if (stop.aborted) return { unseen: 'stopped', why: 'It was stopped.' }
  const program = findWorker()
  if (program === null) return NO_WORKER
  const profile = await makeProfile()
  const worker = fork(program, {
    // A group of its own, and nothing of our environment.
    detached: true,
    env: {},
    execArgv: ['--max-old-space-size=384', '--enable-source-maps'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timers: NodeJS.Timeout[] = []
  try {
    return await new Promise((resolve) => {
      const give = (unseen: Unseen, why: string) => resolve({ unseen, why })
      worker.on('message', (said: FromWorker<K>) => {
        if ('step' in said) onStep?.(said.step)
        else if ('done' in said) resolve({ done: said.done })
        else give('failed', said.failed)
      })
      worker.once('exit', () => give('failed', 'The browser ended before it was done.'))
      worker.once('error', () => give(NOT_STARTED.unseen, NOT_STARTED.why))
      stop.addEventListener('abort', () => give('stopped', 'It was stopped.'), { once: true })
      const late = () => give('time', `The browser took more than ${mostMs / 1000} s.`)
      timers.push(setTimeout(late, mostMs))
      timers.push(
        setInterval(async () => {
          const held = (await familyOf(worker.pid ?? -1)).reduce((sum, { own }) => sum + own, 0)
          if (held > mostBytes) {
            give('memory', `The browser held more than ${Math.round(mostBytes / 1024 / 1024)} MB.`)
          }
        }, WATCH_MS),
      )
      worker.send({ ...order, profile } satisfies ToWorker<K>)
    })
  } finally {
    for (const timer of timers) clearInterval(timer)
    await end(worker)
    await removeProfile(profile)
  }
}

function findWorker(): string | null {
  try {
    return workerFile('browser-worker')
  } catch {
    return null
  }
}

/** Ends the worker, the browser, and every process of theirs. */
async function end(worker: ChildProcess): Promise<void> {
  if (worker.pid === undefined) return
  const isOver = worker.exitCode !== null || worker.signalCode !== null
  const over = isOver ? null : new Promise((resolve) => worker.once('exit', resolve))
  await endFamily(worker.pid)
  await over
}

// Debian's wrapper in /usr/bin adds its own flags: the real browser comes first.
const PLACES = [
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The browser's program: that of the setting BROWSER, else a Chromium or Chrome of this machine;
 * null if there is none, or the setting is `none`. Throws for a setting that names no file.
 */
export function findBrowser(setting: string | undefined): string | null {
  if (setting === 'none') return null
  if (setting === undefined) return PLACES.find((path) => existsSync(path)) ?? null
  if (existsSync(setting)) return setting
  throw new Error(`BROWSER: there is no file ${setting}. Name a Chromium or Chrome, or "none".`)
}
