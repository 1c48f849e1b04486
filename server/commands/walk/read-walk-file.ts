import type { Transcript } from '../../../shared/walk/transcript.ts'
import { TranscriptBody } from '../../../shared/walk/transcript-body.ts'
import { printable } from '../../../shared/web/text/printable.ts'
import { CommandError } from '../terminal/command-error.ts'
import { nameOfFile, readTextFile } from '../terminal/read-text.ts'

// Unspecified: a transcript has at most 64 MiB; one of all intents has some 5.
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The transcript in a file that `aisle walk --json` wrote. Throws a `CommandError` for any other.
 */
export async function readWalkFile(path: string): Promise<Transcript> {
  const text = await readTextFile(path, { maxBytes: MAX_BYTES })
  const read = TranscriptBody.safeParse(jsonOf(text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue?.path.map(String).join('.') || 'the whole file'
  throw new CommandError(
    printable`${nameOfFile(path)} is not a transcript of this version (${where}). Give a file that aisle walk --json --output wrote.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // A replay is written together with its differences.
    return typeof value === 'object' && value !== null && 'transcript' in value
      ? value.transcript
      : value
  } catch {
    return undefined
  }
}
