import { summaryOfWalk, type WalkListed } from '../../../shared/walk/stored-walk.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { walkPath } from '../../audit/walk/jobs.ts'
import { addressesBelow } from '../../audit/walk/read-walk.ts'

/** The walk of the API's documentation, in each of its states. */

const ID = '0b2f6c1e-5d84-4a3b-9f27-c61d08e7a945'
const STARTED = '2026-11-20T10:00:01.120Z'
const ENDED = '2026-11-20T10:00:04.870Z'

/** A walk that was just accepted. */
export const QUEUED: WalkListed = {
  id: ID,
  domain: 'shop.example',
  mode: 'look',
  intents: ['cheapest_variant'],
  dialects: null,
  state: 'queued',
  stopped: null,
  asked_at: '2026-11-20T10:00:00.000Z',
  started_at: null,
  ended_at: null,
  summary: null,
  ...addressesBelow(`https://aisle.example${walkPath(ID)}`),
}

export const UNDER_WAY: WalkListed = { ...QUEUED, state: 'under_way', started_at: STARTED }

/** A purchase of one step. */
export const TRANSCRIPT: Transcript = {
  version: 1,
  id: ID,
  domain: QUEUED.domain,
  mode: QUEUED.mode,
  started_at: STARTED,
  ended_at: ENDED,
  stopped: null,
  nothing: null,
  elsewhere: [],
  missing: [],
  routes: [
    {
      dialect: 'spec_ucp',
      label: 'UCP',
      endpoint: 'https://shop.example/ucp',
      browsing: [],
      purchases: [
        {
          intent: 'cheapest_variant',
          dialect: 'spec_ucp',
          outcome: 'passed',
          why: null,
          charge: { amount: 3400, currency: 'USD' },
          steps: [
            {
              n: 1,
              step: 'open',
              title: 'Opens a checkout for 1 × Fold Foam Mat',
              exchanges: [
                {
                  request: {
                    method: 'POST',
                    url: 'https://shop.example/ucp/checkout',
                    headers: { 'content-type': 'application/json' },
                    body: '{"items":[{"variant_id":"ao-1313-std","quantity":1}]}',
                    bytes: 53,
                  },
                  answer: {
                    status: 201,
                    headers: { 'content-type': 'application/json' },
                    body: '{"cart_id":"cart_81","total":{"amount":3400,"currency":"USD"}}',
                    bytes: 62,
                    cut: false,
                  },
                  failure: null,
                  ms: 41,
                  at: '2026-11-20T10:00:02.310Z',
                },
              ],
              concluded: [{ text: 'total 34.00 USD', field: 'total' }],
              held: ['answers', 'session_opens'],
              failed: null,
            },
          ],
          orders: [],
          left_open: [],
        },
      ],
    },
  ],
}

/** A walk that has ended. */
export const WALKED: WalkListed = {
  ...UNDER_WAY,
  state: 'ended',
  ended_at: ENDED,
  summary: summaryOfWalk(TRANSCRIPT),
}

export const CANCELLED: WalkListed = {
  ...UNDER_WAY,
  state: 'cancelled',
  stopped: 'The walk was cancelled.',
  ended_at: ENDED,
  summary: summaryOfWalk({ ...TRANSCRIPT, routes: [] }),
}
