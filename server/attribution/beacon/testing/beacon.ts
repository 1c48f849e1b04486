import { testApp } from '../../../testing/app.ts'
import type { IncomingEvent } from '../../ingest/event.ts'
import type { Ingest } from '../../ingest/ingest.ts'
import { createProperty } from '../../properties.ts'

export const SHOP = 'https://www.shop.example'
export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
export const BEACON = {
  id: 'session-0001',
  referrer: 'https://chatgpt.com/',
  landing: `${SHOP}/p/1?utm_source=chatgpt.com&email=me`,
  surface: 'chatgpt',
  confidence: 0.97,
  model: '2026-11-21',
}
export const beacon = (change: object) => JSON.stringify({ ...BEACON, ...change })

export interface Ask {
  query?: string
  /** In addition to those that a browser sends, or instead of them; undefined omits one. */
  headers?: Record<string, string | undefined>
  body?: string | Uint8Array
  method?: string
  /** An address that no other request has, unless given. */
  from?: string
  path?: string
}

/** Asks as a browser does on a page of the shop. */
export function asBrowser(app: Awaited<ReturnType<typeof testApp>>['app'], propertyId: string) {
  let visitors = 0
  return ({
    path = '/sessions',
    query = `?id=${propertyId}`,
    headers = {},
    body,
    method = 'POST',
    from,
  }: Ask = {}) => {
    visitors += 1
    const given = { Origin: SHOP, 'Content-Type': 'text/plain', 'User-Agent': CHROME, ...headers }
    // Each from another network than the one before.
    const remoteAddress = from ?? `10.${visitors & 255}.${(visitors >> 8) & 255}.${visitors >> 16}`
    return app.request(
      `${path}${query}`,
      {
        method,
        headers: Object.entries(given).filter(
          (each): each is [string, string] => each[1] !== undefined,
        ),
        ...(method === 'POST' && { body: (body ?? JSON.stringify(BEACON)) as BodyInit }),
      },
      { incoming: { socket: { remoteAddress } } },
    )
  }
}

/** Keeps what it is asked to record, and stores nothing. */
export function recordingIngest() {
  const recorded: IncomingEvent[] = []
  const refused: string[] = []
  const state = { full: false }
  const ingest: Ingest = {
    isFull: () => state.full,
    record: async (event) => {
      recorded.push(event)
      return {
        event_id: 'e1',
        replayed: false,
        conflict: false,
        surface: 'chatgpt',
        confidence: 0.95,
        notes: [],
      }
    },
    drain: async () => {},
    load: () => ({ items: 0, bytes: 0 }),
    batches: { stored: 0, failed: 0, seconds: 0 },
    refuse: (outcome) => void refused.push(outcome),
    counts: { received: 0, accepted: 0, duplicate: 0, rejected: 0, shed: 0 },
  }
  const reset = () => {
    recorded.length = 0
    refused.length = 0
    state.full = false
  }
  return { ingest, recorded, refused, state, reset }
}

/** The app with a property of shop.example, whose beacons are kept instead of stored. */
export async function beaconApp() {
  const kept = recordingIngest()
  const own = await testApp({ ingest: kept.ingest })
  const property = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  return { ...own, ...kept, property, ask: asBrowser(own.app, property.id) }
}
