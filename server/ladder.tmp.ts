import { connect, MIGRATIONS } from './db/connect.ts'
import { ensureMonths, monthOf } from './db/partitions.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { createKey, SCOPES } from './auth.ts'
import { createLog } from './log.ts'
import { createIngest } from './ingest/ingest.ts'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { Session } from 'node:inspector/promises'
import { writeFileSync } from 'node:fs'
const dir = await mkdtemp('/tmp/aisle-prof-')
const { db, sql, close } = await connect({ databaseUrl: undefined, dataDir: dir, migrations: MIGRATIONS })
const now = () => new Date()
let calls = 0; const un = sql.unsafe; (sql as any).unsafe = (...a: any[]) => { calls++; return (un as any).apply(sql, a) }
await ensureMonths(sql, [monthOf(now())])
const key = (await createKey(db, { name: 'b', scopes: [...SCOPES], domains: ['*'], expires_at: null }, now())).key
const log = createLog(pino.destination({ dest: '/dev/null', sync: false }))
const deps: any = { db, now, log, baseUrl: 'https://aisle.example', trustedProxies: [], isShuttingDown: () => false, assets: new Map() }
const sizes: number[] = []
const grouped = createIngest({ sql, now, log })
const mode = process.argv[2]
import { frameBusyRoute, answerFramed } from './request.ts'
import { createGate } from './auth.ts'
import { readEvent } from './ingest/read-event.ts'
const nolog = { info() {}, warn() {}, error: console.error } as any
const gate = createGate({ db, now, log }, 'report:write')
const slog = createLog(pino.destination({ dest: '/dev/null', sync: true }))
import { authenticate } from './auth.ts'
import { parseKey, hashSecret } from './key-format.ts'
import { createBatcher } from './ingest/batcher.ts'
import { createKeyring } from './keyring.ts'
const kr = createKeyring(db)
const fakeRing = createBatcher<string, any>({ flush: async (ids) => ids.map(() => 1), splitsOn: () => false, maxBatch: 1000, maxItems: 1e5, maxBytes: 1e9, waitMs: 1e4 })
const L: Record<string, () => any> = {
  L1: () => new Hono().post('/api/report', async (c) => c.json(JSON.parse(await c.req.text()))),
  L2: () => new Hono<any>().post('/api/report', frameBusyRoute({ ...deps, log: nolog }, '/api/report'), async (c) => answerFramed(c, JSON.parse(await c.req.text()))),
  L2h: () => new Hono<any>().post('/api/report', async (c) => new Response(await c.req.text(), { headers: { 'Content-Type': 'application/json', 'X-Request-Id': randomUUID(), 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'", 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff', 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id', 'Strict-Transport-Security': 'max-age=6307200' } })),
  L3: () => new Hono<any>().post('/api/report', frameBusyRoute({ ...deps, log }, '/api/report'), async (c) => answerFramed(c, JSON.parse(await c.req.text()))),
  L3s: () => new Hono<any>().post('/api/report', frameBusyRoute({ ...deps, log: slog }, '/api/report'), async (c) => answerFramed(c, JSON.parse(await c.req.text()))),
  A1: () => new Hono<any>().post('/api/report', async (c) => { const t = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization')!)![1]!; const p = parseKey(t)!; hashSecret(p.secret); return c.json(JSON.parse(await c.req.text())) }),
  A2: () => new Hono<any>().post('/api/report', async (c) => { await fakeRing.add('x'); return c.json(JSON.parse(await c.req.text())) }),
  A3: () => new Hono<any>().post('/api/report', async (c) => { await kr.find(key.split('_')[2]!); return c.json(JSON.parse(await c.req.text())) }),
  A4: () => new Hono<any>().post('/api/report', async (c) => { await gate(c); return c.json(JSON.parse(await c.req.text())) }),
  L4: () => new Hono<any>().post('/api/report', frameBusyRoute({ ...deps, log }, '/api/report'), async (c) => { const b = JSON.parse(await c.req.text()); readEvent(b, { idempotencyKey: null, index: null }, now()); return answerFramed(c, b) }),
  L5: () => new Hono<any>().post('/api/report', frameBusyRoute({ ...deps, log }, '/api/report'), async (c) => { await gate(c); const b = JSON.parse(await c.req.text()); readEvent(b, { idempotencyKey: null, index: null }, now()); return answerFramed(c, b) }),
}
const app: any = L[mode!] ? L[mode!]!() : mode === 'bare' ? new Hono().post('/api/report', async (c) => c.json(await c.req.json())) : L.L1!(); void ({ ...deps, ingest: mode === 'noop' ? { ...grouped, record: async () => ({ replayed: false, conflict: false, surface: 'chatgpt', confidence: .85, event_id: randomUUID() }) } : grouped })
const server: any = await new Promise((r) => { const s: any = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => r(s)) })
const load = async (ms: number) => JSON.parse((await promisify(execFile)(process.execPath, ['server/ingest/load.ts', JSON.stringify({ port: server.address().port, key, clients: 64, ms, round: randomUUID() })])).stdout)
await load(1500)
const rate = async () => { calls = 0; const cpu = process.cpuUsage(); const r = await load(2500); const u = process.cpuUsage(cpu); const n = r.answers['200']; console.log(mode, r.answers, (n / r.seconds).toFixed(0) + '/s', ((u.user + u.system) / n).toFixed(1) + ' us cpu per request', (n / calls).toFixed(1), 'requests per statement') }
for (let i = 0; i < 3; i++) await rate()
if (process.argv[3]) {
  const s = new Session(); s.connect()
  await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval', { interval: 100 }); await s.post('Profiler.start')
  const lastN = (await load(3000)).answers['200']
  const { profile } = await s.post('Profiler.stop')

  const dt = profile.timeDeltas!, ids = profile.samples!
  const byId = new Map(profile.nodes.map((n) => [n.id, n]))
  const parent = new Map<number, number>()
  for (const n of profile.nodes) for (const c of n.children ?? []) parent.set(c, n.id)
  const name = (id: number) => { const f = byId.get(id)!.callFrame; return f.functionName + ' ' + f.url.split('/').slice(-2).join('/') + ':' + f.lineNumber }
  const self = new Map<string, number>(), incl = new Map<string, number>()
  let total = 0
  ids.forEach((id, i) => {
    if (name(id).startsWith('(idle)')) return
    total += dt[i]!
    self.set(name(id), (self.get(name(id)) ?? 0) + dt[i]!)
    const seen = new Set<string>()
    for (let x: number | undefined = id; x !== undefined; x = parent.get(x)) { const k = name(x); if (!seen.has(k)) { seen.add(k); incl.set(k, (incl.get(k) ?? 0) + dt[i]!) } }
  })
  const mod = new Map<string, number>()
  ids.forEach((id, i) => { const f = byId.get(id)!.callFrame; if (f.functionName === '(idle)') return; const k = f.url === '' ? f.functionName : f.url.includes('prof.tmp') ? 'ours ' + f.functionName : f.url.replace(/.*node_modules\//, ''); mod.set(k, (mod.get(k) ?? 0) + dt[i]!) })
  console.log('MODULES', total / lastN); for (const [k, v] of [...mod].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log((v / lastN).toFixed(2).padStart(7), k)
  if (1) process.exit()
  for (const [label, m] of [['SELF', self], ['INCL', incl]] as const) { console.log(label); for (const [k, v] of [...m].sort((a, b) => b[1] - a[1]).slice(0, label === 'INCL' ? 70 : 45)) console.log((v / lastN).toFixed(2).padStart(7), k) }
}
server.closeAllConnections(); await close(); await rm(dir, { recursive: true }); process.exit()
