import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type { WarmRun } from './warm-program.ts'

const WARM_PROGRAM = fileURLToPath(import.meta.resolve('./warm-program.ts'))

/** The output of a program, and its exit code. */
export interface Ran {
  out: string
  err: string
  code: number | null
}

/** Runs a program of the bundle to its end, like a person or a pipeline. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input, ...options }: { cwd?: string; env: NodeJS.ProcessEnv; input?: string },
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], options)
  // A program need not read all of it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const read = async (stream: NodeJS.ReadableStream) => {
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return text
  }
  const [out, err] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, 'close'),
  ])
  return { out, err, code: child.exitCode }
}

/** Runs a program with these arguments. */
export type Run = (
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
) => Promise<Ran>

/**
 * Runs a program of the bundle by its own entry, in processes that stay: to start one costs more
 * than most commands. For tests of a command's output and work, not of its process.
 */
export function warmProgram(program: string): Run {
  const idle: ChildProcess[] = []
  const started = new Set<ChildProcess>()
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL')
  })
  const start = () => {
    const child = fork(WARM_PROGRAM, [program], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    started.add(child)
    return child
  }
  return async (args, { cwd = process.cwd(), env }) => {
    const child = idle.pop() ?? start()
    const answered = new AbortController()
    const { signal } = answered
    const run: WarmRun = { args, cwd, env }
    child.send(run)
    try {
      const answer = await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(([code]) => {
          throw new Error(`aisle ${args.join(' ')} ended its process with ${code}.`)
        }),
      ])
      idle.push(child)
      return answer[0] as Ran
    } finally {
      answered.abort()
    }
  }
}
