import { readFile } from 'node:fs/promises'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { TranscriptBody } from '../../../shared/walk/transcript-body.ts'
import { printable } from '../../../shared/web/printable.ts'
import { CommandError } from '../terminal/command-error.ts'

/** The transcript in a file that `aisle walk --json` wrote. Throws a `CommandError` for any other. */
export async function readWalkFile(path: string): Promise<Transcript> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(printable`${path} cannot be read: ${reason}.`)
  }
  const read = TranscriptBody.safeParse(jsonOf(text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue?.path.map(String).join('.') || 'the whole file'
  throw new CommandError(
    printable`${path} is not a transcript of this version (${where}). Give a file that aisle walk --json --output wrote.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // A replay is written with its differences beside it.
    return typeof value === 'object' && value !== null && 'transcript' in value
      ? value.transcript
      : value
  } catch {
    return undefined
  }
}
