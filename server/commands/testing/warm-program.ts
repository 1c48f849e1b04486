import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** One run of a program in a warm process. */
export interface WarmRun {
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
}

// The code of a warm process: for each message, it runs the program's entry anew, while what the
// entry imports stays loaded. It answers when nothing would keep a process alive.

const [node = '', file = '', program = ''] = process.argv
const entry = pathToFileURL(program)
let runs = 0
let idle = 0

process.on('message', async ({ args, cwd, env }: WarmRun) => {
  runs += 1
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [node, file, ...args]
  process.exitCode = undefined
  const [out, err] = [captured(process.stdout), captured(process.stderr)]
  if (runs === 1) idle = keepingAlive()
  // A module is evaluated once for each address.
  await import(`${entry}?run=${runs}`)
  while (keepingAlive() > idle) await sleep(20)
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  process.send?.({ out: out(), err: err(), code: process.exitCode ?? 0 })
})

// A killed run of tests leaves none behind, whatever the program waits for.
process.on('disconnect', () => process.exit())

/** How many timers, sockets and the like keep the process alive. */
function keepingAlive(): number {
  return process.getActiveResourcesInfo().length
}

/**
 * Collects what is written to a stream. Returns the function that restores the stream, and the
 * text.
 */
function captured(stream: NodeJS.WriteStream): () => string {
  const { write } = stream
  let text = ''
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }
  return () => {
    stream.write = write
    return text
  }
}
