import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** A program as a process on its own port, which is stopped and started like in a deployment. */
export interface Replica {
  port: number
  start: () => Promise<void>
  /** Resolves to its exit code. */
  stop: () => Promise<number | null>
  /** Resolves when the process is gone. */
  kill: () => Promise<void>
}

/**
 * `file` is the program. Its environment is its argument as well, because some programs of tests
 * expect it there; the port is chosen, and passed as `portName`.
 */
export async function prepareReplica(
  file: string,
  env: Record<string, string>,
  portName: 'PORT' | 'STORE_PORT' = 'PORT',
): Promise<Replica> {
  const port = await freePort()
  let child: ChildProcess | null = null
  return {
    port,
    start: async () => {
      const own = { DATA_DIR: dirname(file), ...env, [portName]: String(port) }
      const started = spawn(process.execPath, [file, JSON.stringify(own)], {
        env: { ...process.env, ...own },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child = started
      // Read to the end, so that the pipe never fills.
      const ready = new Promise<void>((resolve, reject) => {
        started.stdout.on('data', (chunk) => /listening|store is on/.test(chunk) && resolve())
        started.once('exit', (code) => reject(new Error(`It ended with ${code}.`)))
      })
      await ready
    },
    stop: async () => {
      if (child === null) throw new Error('It does not run.')
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exited
      child = null
      return code
    },
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** One request over a connection of the agent; resolves to the status, or to the error. */
export function ask(
  agent: Agent,
  port: number,
  { method = 'GET', path, headers = {}, body = '' }: Asked,
): Promise<string> {
  return new Promise((resolve) => {
    const length = { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request(
      { agent, port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve(String(answer.statusCode)))
        answer.once('error', (error) => resolve(String(error)))
      },
    )
    sent.once('error', (error) => resolve(`${method} ${path}: ${error}`))
    sent.end(body)
  })
}

export interface Asked {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Keeps connections busy until it is ended, and counts the outcomes. `portOf` says where the next
 * request goes: null while there is nowhere. Each client rests for `restMs` between two requests.
 */
export function load(
  clients: number,
  portOf: (n: number) => number | null,
  next: () => Asked,
  restMs = 0,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const outcomes: Record<string, number> = {}
  let ended = false
  const clientsDone = Array.from({ length: clients }, async (_, client) => {
    for (let n = client; !ended; n += 1) {
      const port = portOf(n)
      const outcome = port === null ? 'nowhere to go' : await ask(agent, port, next())
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (port === null || restMs > 0) await sleep(restMs || 10)
    }
  })
  return {
    end: async () => {
      ended = true
      await Promise.all(clientsDone)
      agent.destroy()
      return outcomes
    },
  }
}
