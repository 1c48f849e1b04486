import * as z from 'zod'
import { WALK_DIALECTS } from './dialect.ts'
import { INTENT_IDS, WALK_MODES } from './intents.ts'
import { costOf, type Transcript } from './transcript.ts'
import { TranscriptBody } from './transcript-body.ts'

/**
 * `queued`: waits for a slot. `ended`: by itself, or for the reason in its transcript's `stopped`.
 * `cancelled`: by somebody who may.
 */
export const WALK_STATES = ['queued', 'under_way', 'ended', 'cancelled'] as const
export type WalkState = (typeof WALK_STATES)[number]

/** Whether nothing more will come. */
export const isWalkOver = (state: WalkState): boolean => state === 'ended' || state === 'cancelled'

/** A walk in a few numbers. */
export const WalkSummary = z.object({
  passed: z.int().min(0).describe('Purchases that came to their end'),
  failed: z.int().min(0).describe('Purchases that failed'),
  handed_over: z
    .int()
    .min(0)
    .describe('Purchases that the buyer has to finish in the store, as the protocol has it'),
  not_walked: z.int().min(0).describe('Purchases for which something was missing'),
  orders: z.int().min(0).describe('Orders that were placed'),
  left_open: z.int().min(0).describe('Sessions that could not be cancelled'),
  requests: z.int().min(0).describe('Requests that were made'),
})
export type WalkSummary = z.infer<typeof WalkSummary>

export function summaryOfWalk({ routes }: Transcript): WalkSummary {
  const purchases = routes.flatMap((route) => route.purchases)
  const steps = [
    ...routes.flatMap((route) => route.browsing),
    ...purchases.flatMap((purchase) => purchase.steps),
  ]
  const count = (outcome: (typeof purchases)[number]['outcome']) =>
    purchases.filter((purchase) => purchase.outcome === outcome).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    handed_over: count('handed_over'),
    not_walked: count('not_walked'),
    orders: purchases.flatMap(({ orders }) => orders).length,
    left_open: purchases.flatMap(({ left_open }) => left_open).length,
    requests: costOf(steps).requests,
  }
}

/** A walk as lists show it, and as the answer to its start. Times are ISO 8601. */
export const WalkListed = z.object({
  id: z.string().describe('The id of the walk'),
  domain: z.string().describe('The domain of the store'),
  mode: z.enum(WALK_MODES).describe('`look` pays nothing; `sandbox` pays with test tokens'),
  intents: z
    .array(z.enum(INTENT_IDS))
    .describe('What is bought, or tried, each once in each dialect'),
  dialects: z.array(z.enum(WALK_DIALECTS)).nullable().describe('Null: all that the store speaks'),
  state: z
    .enum(WALK_STATES)
    .describe(
      '`queued`: it waits for a place. `ended`: by itself, or early (see `stopped`). `cancelled`: by somebody who may',
    ),
  stopped: z.string().nullable().describe('Why it ended early'),
  asked_at: z.string().describe('When it was asked for, ISO 8601 in UTC'),
  started_at: z.string().nullable().describe('When it started. Null: it still waits'),
  ended_at: z.string().nullable().describe('When it ended. Null: it goes on'),
  summary: WalkSummary.nullable().describe('Null until it has ended'),
  url: z.string().describe('Where its state and its transcript are'),
  events_url: z.string().describe('The same as server-sent events, while it goes on'),
})
export type WalkListed = z.infer<typeof WalkListed>

/** A walk with its transcript up to now. */
export const WalkShown = WalkListed.extend({
  transcript: TranscriptBody.describe('What was asked and answered, step by step, as far as it is'),
})
export type WalkShown = z.infer<typeof WalkShown>
