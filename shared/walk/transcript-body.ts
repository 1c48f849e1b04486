import * as z from 'zod'
import { Money } from '../commerce/product.ts'
import { UCP } from '../protocols/ucp/versions.ts'
import { SignedAs } from '../web/signed-as.ts'
import { SeenWith } from '../web/site-access.ts'
import { WALK_DIALECTS } from './dialect.ts'
import { EXPECTATIONS, type ExpectationId } from './expectations.ts'
import { INTENT_IDS, WALK_MODES } from './intents.ts'
import { PagesKept } from './pages/pages-kept.ts'
import { STEP_NAMES, type Transcript } from './transcript.ts'

const EXPECTATION_IDS: readonly ExpectationId[] = EXPECTATIONS.map(({ id }) => id)
const Headers = z
  .record(z.string(), z.string())
  .describe('HTTP headers by name; secrets are masked')
const Moment = z.iso.datetime({ offset: true })

const Step = z.object({
  n: z.int().describe('Counted from 1 within its purchase'),
  step: z.enum(STEP_NAMES).describe('The kind of step'),
  title: z.string().describe('What the buyer did, in plain words'),
  exchanges: z
    .array(
      z.object({
        request: z
          .object({
            method: z.string().describe('The HTTP method'),
            url: z.string().describe('The address asked'),
            headers: Headers,
            body: z
              .string()
              .nullable()
              .describe(
                'As it was sent; secrets and personal data are masked. Null without a body',
              ),
            bytes: z.int().describe('Bytes of the body as it was sent'),
          })
          .describe('What was sent'),
        answer: z
          .object({
            status: z.int().describe('The HTTP status'),
            headers: Headers,
            body: z.string().describe('The body, masked, and cut where it is very long'),
            bytes: z.int().describe('Bytes of the whole body'),
            cut: z.boolean().describe('Whether `body` is a part of it'),
          })
          .nullable()
          .describe('Null: no answer came'),
        failure: z.string().nullable().describe('Why no answer came'),
        ms: z.number().describe('How long it took, in milliseconds'),
        at: Moment.describe('When it was sent, ISO 8601'),
      }),
    )
    .describe('Requests and their answers, nearly always one'),
  concluded: z
    .array(
      z.object({
        text: z.string().describe('A fact and its value: `total 142.00 USD`'),
        field: z.string().nullable().describe('Where it was read'),
      }),
    )
    .describe('What the buyer understood'),
  held: z.array(z.enum(EXPECTATION_IDS)).describe('The expectations that were met'),
  failed: z
    .object({
      expectation: z.enum(EXPECTATION_IDS).describe('The expectation, for programs'),
      party: z.enum(['store', 'agent', 'buyer', 'network']).describe('Whose fault or turn it is'),
      expected: z.string().describe('What was expected, as a sentence'),
      found: z.string().describe('What was found, as a sentence'),
      field: z.string().nullable().describe('Where in the answer. Null: nowhere in particular'),
      authority: z.string().describe('The rule of the protocol that it rests on'),
    })
    .nullable()
    .describe('The expectation that was not met. Null: all were'),
  opened: z
    .object({
      picture: z
        .string()
        .nullable()
        .describe('The path of its picture, below the address of the walk. Null: not kept'),
      unseen: z
        .string()
        .nullable()
        .describe('Why our browser did not see it: nothing follows about the store. Null: it did'),
    })
    .optional()
    .describe('The link of the step, as a fresh browser opened it. Left out: none was opened'),
})

/** A transcript as the API answers it, and as files have it. */
export const TranscriptBody = z.object({
  version: z.literal(1).describe('The version of this form'),
  id: z.string().describe('The id of the walk'),
  domain: z.string().describe('The domain of the store'),
  mode: z.enum(WALK_MODES).describe('`look` pays nothing; `sandbox` pays with test tokens'),
  started_at: Moment.describe('When it started, ISO 8601'),
  ended_at: Moment.nullable().describe('When it ended. Null: it goes on'),
  stopped: z.string().nullable().describe('Why it ended early'),
  nothing: z.string().nullable().describe('Why nothing could be walked'),
  routes: z
    .array(
      z.object({
        dialect: z.enum(WALK_DIALECTS).describe('The protocol'),
        label: z.string().describe(`Its name and version: \`UCP over REST, ${UCP.newest}\``),
        endpoint: z.string().describe('The address of its operations'),
        signature: SignedAs.optional().describe(
          'What our signature changed at the checkout. Left out: nothing was signed',
        ),
        browsing: z.array(Step).describe('Reading the catalog, once for all purchases'),
        purchases: z
          .array(
            z.object({
              intent: z.enum(INTENT_IDS).describe('What was bought, or tried'),
              dialect: z.enum(WALK_DIALECTS).describe('The protocol'),
              outcome: z
                .enum(['passed', 'failed', 'handed_over', 'not_walked', 'under_way'])
                .describe(
                  '`handed_over`: the buyer has to finish in the store, as the protocol has it. `not_walked`: something was missing for it. `under_way`: it has not ended, or was broken off',
                ),
              why: z
                .string()
                .nullable()
                .describe('The reason, as a sentence. Null: it passed, or goes on'),
              charge: z
                .object({
                  amount: Money.shape.amount.describe('In the smallest unit of the currency'),
                  currency: Money.shape.currency.describe('ISO 4217, such as USD'),
                })
                .nullable()
                .default(null)
                .describe('What the buyer pays, as it was last stated. Null: it was not'),
              steps: z.array(Step).describe('What the buyer did, in order'),
              orders: z
                .array(
                  z.object({
                    id: z.string().describe('The id of the order in the store'),
                    url: z
                      .string()
                      .nullable()
                      .describe('Its page in the store. Null: none was named'),
                    cancelled: z
                      .boolean()
                      .default(false)
                      .describe('The store cancelled it when asked to; a refund is its own matter'),
                  }),
                )
                .describe('Orders that were placed in a sandbox'),
              left_open: z
                .array(
                  z.object({
                    id: z.string().describe('The id of the session in the store'),
                    until: z
                      .string()
                      .nullable()
                      .describe('When it ends by itself. Null: not known'),
                    why: z.string().describe('Why it could not be cancelled, as a sentence'),
                  }),
                )
                .describe('Sessions that could not be cancelled'),
            }),
          )
          .describe('One for each intent'),
      }),
    )
    .describe('The protocols that the store was seen to speak'),
  elsewhere: z
    .array(
      z.object({
        dialect: z.enum(WALK_DIALECTS).describe('The protocol'),
        label: z.string().describe('Its name and version'),
        endpoint: z.string().describe('The address that the store names'),
        why: z.string().describe('Why nothing was bought there, and how its owner allows it'),
      }),
    )
    .default([])
    .describe('Protocols at hosts of others, which were not walked'),
  missing: z
    .array(
      z.object({
        protocol: z.enum(['UCP', 'ACP']).describe('The protocol'),
        why: z.string().describe('What was found instead, in sentences'),
      }),
    )
    .default([])
    .describe('Protocols without a checkout that can be walked'),
  seen_with: SeenWith.optional().describe(
    'What the owner gave for the domain, such as request headers, and what of it was sent',
  ),
  pages: PagesKept.optional().describe(
    'The walk through the pages of the store, up to the last step before paying. Left out: it was not asked for',
  ),
}) satisfies z.ZodType<Transcript>
