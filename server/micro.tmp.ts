import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { createLog } from './log.ts'
import { randomUUID } from 'node:crypto'
import { readEvent } from './ingest/read-event.ts'
import { AttributionEvent } from '../shared/report.ts'
import { classify } from '../shared/classify.ts'
import { hashSecret, mintKey, parseKey } from './key-format.ts'
import { placeEvents } from './ingest/place-events.ts'
import { frameRequest } from './request.ts'
import { v7 } from 'uuid'
import canonicalize from 'canonicalize'
import { createBatcher } from './ingest/batcher.ts'
getRequestListener(() => new Response(''))
const log = createLog(pino.destination({ dest: '/dev/null', sync: true }))
const now = () => new Date()
async function bench(name: string, fn: () => unknown, n = 4000) {
  let best = Infinity
  for (let r = 0; r < 25; r++) {
    const t = performance.now()
    for (let i = 0; i < n; i++) { const x = fn(); if (x instanceof Promise) await x }
    best = Math.min(best, (performance.now() - t) / n * 1000)
  }
  console.log(name.padEnd(30), best.toFixed(2), 'us')
}
const body = { event: 'ai_checkout_completed', domain: 'shop.example', session_id: 's1-1231231', source: 'acp', ai_surface: 'chatgpt', properties: { product_id: 'ao-1101', value: 4999, currency: 'USD' } }
const text = JSON.stringify(body)
const env = { incoming: {}, outgoing: {} }
const bare = new Hono().post('/api/report', (c) => c.json({ a: 1 }))
const framed = new Hono().use(frameRequest({ log, now, baseUrl: 'https://x' })).post('/api/report', (c) => c.json({ a: 1 }))
const framedNoLog = new Hono().use(frameRequest({ log: { info() {} } as any, now, baseUrl: 'https://x' })).post('/api/report', (c) => c.json({ a: 1 }))
const req = () => new Request('http://x.example/api/report', { method: 'POST' })
const r1: any = req()
const out = async (app: any) => { const r: any = await app.fetch(r1, env); const sym = Object.getOwnPropertySymbols(r).find((s) => String(s) === 'Symbol(cache)'); const h = r[sym!][2]; return h instanceof Headers ? [...h] : h }
await bench('bare app', () => out(bare))
await bench('framed app', () => out(framed))
await bench('framed app, no log', () => out(framedNoLog))
await bench('log line', () => log.info({ request_id: 'asdasd-asdasd', method: 'POST', path: '/api/report', status: 200, ms: 3, key_id: 'abc' }))
await bench('uuid', () => randomUUID())
await bench('uuid v7', () => v7())
const { key } = mintKey()
await bench('parseKey', () => parseKey(key))
await bench('hashSecret', () => hashSecret(key))
await bench('readEvent', () => readEvent(body, { idempotencyKey: null, index: null }, new Date()))
await bench('  stringify', () => JSON.stringify(body))
await bench('  zod', () => AttributionEvent.safeParse(body))
await bench('  canonicalize', () => canonicalize(body))
await bench('  hash', () => hashSecret(text))
const ev = readEvent(body, { idempotencyKey: null, index: null }, new Date()).event
await bench('classify', () => classify(ev.signals))
await bench('placeEvents', () => placeEvents([ev], [], new Date()))
const b = createBatcher<number, number>({ flush: async (x) => x, splitsOn: () => false, maxBatch: 500, maxItems: 1e9, maxBytes: 1e9, waitMs: 1e4 })
await bench('batcher x100', () => Promise.all(Array.from({ length: 100 }, () => b.add(1))), 100)
await bench('new URL', () => new URL('http://x.example/api/report').pathname)
process.exit()
