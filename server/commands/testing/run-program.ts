import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a program wrote, and its exit code. */
export interface Ran {
  out: string
  err: string
  code: number | null
}

/** Runs a program of the bundle to its end, as a person or a pipeline does. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
