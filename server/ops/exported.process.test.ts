import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { ROUTES } from '../access/testing/routes.ts'
import { isSelected, type Selector, selectorsOf } from '../metrics/testing/expressions.ts'
import { askPromtool, checkMetrics, testWithPromtool } from '../metrics/testing/promtool.ts'
import { readRules, SERVICE_RULES, STORE_RULES } from '../metrics/testing/rules.ts'
import { readScrape } from '../metrics/testing/scrape.ts'
import { storeDatabase } from '../store/db/testing/database.ts'
import { testDatabase } from '../testing/app.ts'
import { program } from '../testing/program.ts'

const TOKEN = 'a-token-of-the-operator'
const folder = mkdtempSync(join(tmpdir(), 'aisle-exported-'))
const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
afterAll(async () => {
  for (const clean of cleanups) await clean()
})

/** Starts a program, and resolves to the first line that names its port. */
async function start(file: string, args: string[], env: Record<string, string>, said: RegExp) {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } })
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  return new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => said.test(line) && resolve(line))
    child.once('exit', () => reject(new Error(lines.join('\n'))))
  })
}

const local = (port: number, path = '') => `http://127.0.0.1:${port}${path}`
const read = async (url: string, token?: string) => {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  const answer = await fetch(url, { headers })
  return { status: answer.status, text: await answer.text() }
}

const service = JSON.parse(
  await start(
    await program('test-server'),
    [
      JSON.stringify({
        PORT: '0',
        METRICS_PORT: '0',
        METRICS_TOKEN: TOKEN,
        DATABASE_URL: (await testDatabase()).url,
      }),
    ],
    {},
    /"listening"/,
  ),
)
const storeLine = await start(
  await program('store-main'),
  [],
  {
    DATABASE_URL: (await storeDatabase()).url,
    STORE_PORT: '0',
    HOST: '127.0.0.1',
    STORE_FAULTS: '',
    STORE_PROFILE: '',
    STORE_ADMIN_KEY: '',
    METRICS_TOKEN: TOKEN,
  },
  /http:/,
)
const store = Number(/:(\d+)/.exec(storeLine.slice(storeLine.indexOf('127')))?.[1])

await read(local(service.port, '/readyz'))
await read(local(service.port, '/api/report'))
await read(local(store, '/ucp/products'))
const ofService = (await read(local(service.port, '/metrics'), TOKEN)).text
const ofStore = (await read(local(store, '/metrics'), TOKEN)).text
const exported = [...readScrape(`${ofService}${ofStore}`).keys()]

test('the port of its own asks for the token too, and serves nothing else', async () => {
  const own = service.metrics_port
  expect(await read(local(own, '/metrics'), TOKEN)).toMatchObject({
    status: 200,
    text: expect.stringContaining('\naisle_database_up 1\n'),
  })
  expect((await read(local(own, '/metrics'))).status).toBe(401)
  expect((await read(local(own, '/livez'), TOKEN)).status).toBe(404)
  expect((await read(local(service.port, '/metrics'))).status).toBe(401)
  expect((await read(local(store, '/metrics'))).status).toBe(401)
})

test('memory and the event loop of both are told', () => {
  for (const text of [ofService, ofStore]) {
    const scrape = readScrape(text)
    expect(scrape.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(scrape.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  }
})

testWithPromtool.each([
  ['service', ofService],
  ['store', ofStore],
])('promtool has nothing to say about the metrics of the %s', async (_, text) => {
  expect(await checkMetrics(folder, text)).toBe('')
})

const dashboard = JSON.parse(readFileSync('server/ops/dashboard.json', 'utf8'))
const panels: { id: number; title: string; targets?: { expr: string; legendFormat: string }[] }[] =
  dashboard.panels
const drawn = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ of: title, expr, legendFormat })),
)
const alerting = [SERVICE_RULES, STORE_RULES].flatMap((path) =>
  readRules(path).map(({ alert, expr }) => ({ of: alert, expr })),
)

/** Labels that Prometheus adds to each target. */
const ADDED = ['job', 'instance']

/** Why a selector finds nothing; null if it finds something. */
function faultOf({ name, matchers }: Selector): string | null {
  if (name === 'up') return matchers.every(({ label }) => label === 'job') ? null : 'up has a job'
  const own = matchers.filter(({ label }) => !ADDED.includes(label))
  const series = exported.filter((each) => each.split('{')[0] === name)
  if (series.length === 0) return `${name} is not exported`
  const unknown = own.find(({ label }) => !series.some((each) => each.includes(`${label}="`)))
  if (unknown) return `${name} has no label ${unknown.label}`
  // Routes and statuses depend on the requests so far.
  const fixed = own.filter(({ label }) => !name.includes('_http_') || label === 'le')
  const isThere = series.some((each) => isSelected(each, { name, matchers: fixed }))
  return isThere ? null : `${name} has no such ${fixed.map(({ label }) => label).join(', ')}`
}

test('the reader of expressions sees what they ask for', () => {
  const expr =
    'histogram_quantile(0.95, sum by (le, no) (rate(a_bucket{x="1",y!~"b|c"}[5m]))) > 450e6 and on (z) time() - max(d)'
  expect(selectorsOf(expr).map(({ name }) => name)).toEqual(['a_bucket', 'd'])
  expect(selectorsOf(expr)[0]?.matchers).toEqual([
    { label: 'x', operator: '=', value: '1' },
    { label: 'y', operator: '!~', value: 'b|c' },
  ])
  const faults = [
    'aisle_none',
    'aisle_audits_waiting{kind="key"}',
    'aisle_audits_waiting{caller="x"}',
  ]
  for (const wrong of faults) expect(selectorsOf(wrong).map(faultOf)).not.toEqual([null])
})

test.each([...alerting, ...drawn])('$of asks for what is exported: $expr', ({ expr }) => {
  const selectors = selectorsOf(expr)
  expect(selectors.length).toBeGreaterThan(0)
  expect(selectors.map(faultOf).filter(Boolean)).toEqual([])
  for (const { name, matchers } of selectors) {
    for (const { label, value } of matchers) {
      if (label !== 'route' || !name.startsWith('aisle_http')) continue
      const paths = Object.keys(ROUTES).map((route) => route.split(' ')[1] ?? '')
      const missing = value
        .split('|')
        .filter((one) => !paths.some((path) => new RegExp(`^${one}$`).test(path)))
      expect(missing).toEqual([])
    }
  }
})

test('the dashboard shows every metric of ours, and names the lines of each panel', () => {
  const shown = drawn.flatMap(({ expr }) => selectorsOf(expr).map(({ name }) => name))
  const families = [...`${ofService}${ofStore}`.matchAll(/^# TYPE (aisle_\w+)/gm)].map(
    ([, name = '']) => name,
  )
  expect(families.length).toBeGreaterThan(30)
  expect(families.filter((name) => !shown.some((each) => each.startsWith(name)))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { legendFormat, expr, of } of drawn) {
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    expect(legendFormat, of).not.toBe('')
    for (const label of labels) {
      const isKept = ADDED.includes(label) || new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr)
      expect(isKept, `${of}: ${legendFormat}`).toBe(true)
    }
  }
})

testWithPromtool('the expressions of the dashboard are valid', async () => {
  const rules = drawn.map(({ expr }, n) => ({
    record: `drawn:${n}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  const file = join(folder, 'drawn.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'drawn', rules }] }))
  expect(await askPromtool('check', 'rules', file)).toContain(`${drawn.length} rules found`)
})
