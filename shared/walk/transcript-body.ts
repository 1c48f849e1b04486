import * as z from 'zod'
import { WALK_DIALECTS } from './dialect.ts'
import { EXPECTATIONS, type ExpectationId } from './expectations.ts'
import { WALK_MODES } from './intents.ts'
import { STEP_NAMES, type Transcript } from './transcript.ts'
import { INTENT_IDS } from './walk-request.ts'

const EXPECTATION_IDS: readonly ExpectationId[] = EXPECTATIONS.map(({ id }) => id)
const Headers = z.record(z.string(), z.string())
const Moment = z.iso.datetime({ offset: true })

const Step = z.object({
  n: z.int().describe('Counted from 1 within its purchase'),
  step: z.enum(STEP_NAMES),
  title: z.string().describe('What the buyer did, in plain words'),
  exchanges: z.array(
    z.object({
      request: z.object({
        method: z.string(),
        url: z.string(),
        headers: Headers,
        body: z.string().nullable().describe('Secrets and personal data are masked'),
        bytes: z.int().describe('Of the body as it was sent'),
      }),
      answer: z
        .object({
          status: z.int(),
          headers: Headers,
          body: z.string(),
          bytes: z.int().describe('Of the whole body'),
          cut: z.boolean().describe('Whether `body` is a part of it'),
        })
        .nullable(),
      failure: z.string().nullable().describe('Why no answer came'),
      ms: z.number(),
      at: Moment,
    }),
  ),
  concluded: z.array(
    z.object({ text: z.string(), field: z.string().nullable().describe('Where it was read') }),
  ),
  held: z.array(z.enum(EXPECTATION_IDS)).describe('The expectations that were met'),
  failed: z
    .object({
      expectation: z.enum(EXPECTATION_IDS),
      party: z.enum(['store', 'agent', 'buyer', 'network']).describe('Whose fault or turn it is'),
      expected: z.string(),
      found: z.string(),
      field: z.string().nullable(),
      authority: z.string().describe('The rule of the protocol that it rests on'),
    })
    .nullable(),
})

/** A transcript as the API answers it, and as files have it. */
export const TranscriptBody = z.object({
  version: z.literal(1),
  id: z.string(),
  domain: z.string(),
  mode: z.enum(WALK_MODES),
  started_at: Moment,
  ended_at: Moment.nullable(),
  stopped: z.string().nullable().describe('Why it ended early'),
  nothing: z.string().nullable().describe('Why nothing could be walked'),
  routes: z.array(
    z.object({
      dialect: z.enum(WALK_DIALECTS),
      label: z.string(),
      endpoint: z.string(),
      browsing: z.array(Step).describe('Reading the catalog, once for all purchases'),
      purchases: z.array(
        z.object({
          intent: z.enum(INTENT_IDS),
          dialect: z.enum(WALK_DIALECTS),
          outcome: z.enum(['passed', 'failed', 'handed_over', 'not_walked', 'under_way']),
          why: z.string().nullable(),
          steps: z.array(Step),
          orders: z
            .array(
              z.object({
                id: z.string(),
                url: z.string().nullable(),
                cancelled: z
                  .boolean()
                  .default(false)
                  .describe('The store cancelled it when asked to; a refund is its own matter'),
              }),
            )
            .describe('That were placed in a sandbox'),
          left_open: z
            .array(z.object({ id: z.string(), until: z.string().nullable(), why: z.string() }))
            .describe('Sessions that could not be cancelled'),
        }),
      ),
    }),
  ),
}) satisfies z.ZodType<Transcript>
