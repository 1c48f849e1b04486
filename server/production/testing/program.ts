import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environmentOf } from './image.ts'
import type { Production } from './production.ts'
import { spawnBound } from './spawn-bound.ts'
import { statusOf, until } from './until.ts'

/** Memory of a process in MiB: what is in use now, and the most that was. */
export interface Memory {
  now: number
  peak: number
}

/** A program of the image, run as a container would run it: one process after the other. */
export interface Program {
  port: number
  /** All that its processes printed. */
  lines: string[]
  /** Resolves with the milliseconds from the start of the process until `path` answers 200. */
  start: () => Promise<number>
  /** Sends SIGTERM and resolves with the exit code and the milliseconds until then. */
  stop: () => Promise<{ code: number | null; ms: number }>
  /** Stops it if it runs. */
  end: () => Promise<void>
  /** From the next start on. */
  change: (env: Record<string, string>) => void
  /** Null while it does not run. */
  pid: () => number | null
  memory: () => Promise<Memory>
}

interface Running {
  port: number
  /** What answers 200 as soon as it is ready. */
  readyPath: string
  env: Record<string, string>
  /** In place of the image's own. */
  command?: readonly string[]
}

/** Starts nothing yet. The folder for temporary files is all that it may write. */
export function createProgram(
  production: Production,
  { port, readyPath, env: settings, command }: Running,
): Program {
  let child: ChildProcess | null = null
  let env = settings
  const lines: string[] = []
  const stop = async () => {
    if (child === null) throw new Error('It does not run.')
    const began = performance.now()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await ended
    return { code, ms: performance.now() - began }
  }
  return {
    port,
    lines,
    pid: () => child?.pid ?? null,
    change: (changed) => {
      env = { ...env, ...changed }
    },
    start: async () => {
      const began = performance.now()
      const started = await spawnProgram(production, command ?? production.image.command, env)
      child = started
      for (const stream of [started.stdout, started.stderr]) {
        if (stream) createInterface(stream).on('line', (line) => lines.push(line))
      }
      started.once('exit', () => {
        child = null
      })
      await until('the program is ready', async () => {
        if (child === null)
          throw new Error(`It ended before it was ready: ${lines.slice(-5).join('\n')}`)
        return (await statusOf(`http://127.0.0.1:${port}${readyPath}`)) === 200
      })
      return performance.now() - began
    },
    stop,
    end: async () => {
      if (child !== null) await stop()
    },
    memory: async () => {
      const status = await readFile(`/proc/${child?.pid}/status`, 'utf8')
      const mib = (name: string) =>
        Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024)
      return { now: mib('VmRSS'), peak: mib('VmHWM') }
    },
  }
}

/** Runs a command of the image to its end, such as `aisle keys list`. */
export async function runInImage(
  production: Production,
  command: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = await spawnProgram(production, command, env)
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map(async (stream) => {
      let text = ''
      if (stream) for await (const part of stream) text += part
      return text
    }),
  )
  await until('the command ends', () => child.exitCode !== null || child.signalCode !== null)
  return { code: child.exitCode, stdout: stdout ?? '', stderr: stderr ?? '' }
}

/** As docker-compose.yml gives it: no program may write where it would keep one. */
const SECRETS_KEY = randomBytes(32).toString('hex')

async function spawnProgram(
  { image, account, folder }: Production,
  command: readonly string[],
  env: Record<string, string>,
): Promise<ChildProcess> {
  const temporary = join(folder, `tmp-${randomBytes(4).toString('hex')}`)
  await mkdir(temporary)
  if (account) await chown(temporary, account.uid, account.gid)
  const mapped = command.map((each) => {
    const own = join(image.root, each)
    return each.startsWith('/') && existsSync(own) ? own : each
  })
  return spawnBound(mapped, {
    cwd: image.workdir,
    // Nothing of our own environment: only what the image and its operator set.
    env: { ...environmentOf(image), HOME: temporary, TMPDIR: temporary, SECRETS_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
}
