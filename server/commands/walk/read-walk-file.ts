import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { WALK_DIALECTS } from '../../../shared/walk/dialect.ts'
import { EXPECTATIONS, type ExpectationId } from '../../../shared/walk/expectations.ts'
import { INTENTS, type IntentId, WALK_MODES } from '../../../shared/walk/intents.ts'
import { STEP_NAMES, type Transcript } from '../../../shared/walk/transcript.ts'
import { printable } from '../../../shared/web/printable.ts'
import { CommandError } from '../terminal/command-error.ts'

const EXPECTED: readonly ExpectationId[] = EXPECTATIONS.map(({ id }) => id)
const INTENDED: readonly IntentId[] = INTENTS.map(({ id }) => id)
const Headers = z.record(z.string(), z.string())
const Moment = z.iso.datetime({ offset: true })

const ReadStep = z.object({
  n: z.int(),
  step: z.enum(STEP_NAMES),
  title: z.string(),
  exchanges: z.array(
    z.object({
      request: z.object({
        method: z.string(),
        url: z.string(),
        headers: Headers,
        body: z.string().nullable(),
        bytes: z.int(),
      }),
      answer: z
        .object({
          status: z.int(),
          headers: Headers,
          body: z.string(),
          bytes: z.int(),
          cut: z.boolean(),
        })
        .nullable(),
      failure: z.string().nullable(),
      ms: z.number(),
      at: Moment,
    }),
  ),
  concluded: z.array(z.object({ text: z.string(), field: z.string().nullable() })),
  held: z.array(z.enum(EXPECTED)),
  failed: z
    .object({
      expectation: z.enum(EXPECTED),
      party: z.enum(['store', 'agent', 'buyer', 'network']),
      expected: z.string(),
      found: z.string(),
      field: z.string().nullable(),
      authority: z.string(),
    })
    .nullable(),
})

const ReadTranscript = z.object({
  version: z.literal(1),
  id: z.string(),
  domain: z.string(),
  mode: z.enum(WALK_MODES),
  started_at: Moment,
  ended_at: Moment.nullable(),
  stopped: z.string().nullable(),
  nothing: z.string().nullable(),
  routes: z.array(
    z.object({
      dialect: z.enum(WALK_DIALECTS),
      label: z.string(),
      endpoint: z.string(),
      browsing: z.array(ReadStep),
      purchases: z.array(
        z.object({
          intent: z.enum(INTENDED),
          dialect: z.enum(WALK_DIALECTS),
          outcome: z.enum(['passed', 'failed', 'handed_over', 'not_walked', 'under_way']),
          why: z.string().nullable(),
          steps: z.array(ReadStep),
          orders: z.array(z.object({ id: z.string(), url: z.string().nullable() })),
          left_open: z.array(
            z.object({ id: z.string(), until: z.string().nullable(), why: z.string() }),
          ),
        }),
      ),
    }),
  ),
}) satisfies z.ZodType<Transcript>

/** The transcript in a file that `aisle walk --json` wrote. Throws a `CommandError` for any other. */
export async function readWalkFile(path: string): Promise<Transcript> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(printable`${path} cannot be read: ${reason}.`)
  }
  const read = ReadTranscript.safeParse(jsonOf(text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue?.path.map(String).join('.') || 'the whole file'
  throw new CommandError(
    printable`${path} is not a transcript of this version (${where}). Give a file that aisle walk --json --out wrote.`,
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
