import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { DAY_MS } from '../../../../shared/web/moment.ts'
import { insertRollup } from '../../../attribution/report/testing/rows.ts'
import { revokeKey } from '../../../db/access/keys.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { cleanResult } from '../../../testing/app.ts'
import { type Browser, MINE, NOON, OTHER, sharedPath, testPages } from '../testing/pages.ts'

const { db, clock, nobody, signIn } = await testPages()

await insertRollup(db, MINE, [
  { day: '2026-11-20', sessions: 7, completed: 2, currency: 'USD', revenue: 4_200 },
])
await insertRollup(db, OTHER, [
  { day: '2026-11-20', sessions: 90, completed: 9, currency: 'USD', revenue: 99_900 },
])
await saveAudit(db, { ...cleanResult(MINE, DEFAULT_CHECKS, NOON), score: 71, grade: 'B' })

let owner: Browser & { id: string }
beforeAll(async () => {
  owner = await signIn({ domains: [MINE] })
})

const share = async (view: string, days = '7', domain = MINE) =>
  sharedPath(await owner.post('/shares', { domain, view, days }))
const textAt = async (path: string) => (await nobody.get(path)).text()

async function expectClosed(path: string) {
  const answer = await nobody.get(path)
  expect(answer.status).toBe(404)
  const html = await answer.text()
  expect(html).toContain('This link is no longer valid')
  expect(html).not.toContain(MINE)
}

describe('a link to the report', () => {
  test('shows it to anybody, read-only, and only that', async () => {
    const path = await share('report')
    const answer = await nobody.get(path)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const html = await answer.text()
    expect(html).toContain('$42.00')
    expect(html).toContain('until <time datetime="2026-11-28T12:00:00.000Z"')
    expect(html).not.toContain('method="post"')
    expect(html).not.toMatch(/Last events|id="share"|\/audits\/|Sign out/)
  })

  test.each([`domain=${OTHER}`, `domain=*`, `domain=${MINE}&domain=${OTHER}`, 'view=audit'])(
    'shows nothing else with ?%s',
    async (query) => {
      const html = await textAt(`${await share('report')}?${query}`)
      expect(html).toContain('$42.00')
      expect(html).not.toContain('999.00')
      expect(html).not.toContain(OTHER)
    },
  )

  test('has its own range, figures and CSV, all below its address', async () => {
    const path = await share('report')
    const html = await textAt(`${path}?start=2026-11-19&end=2026-11-20&metric=orders`)
    expect(html).toContain('AI orders by day')
    const links = [...html.matchAll(/(?:href|action)="([^"]*\/(?:shared|report)[^"]*)"/g)]
      .map(([, to]) => to?.replaceAll('&amp;', '&') ?? '')
      .filter((to) => to !== '/report')
    expect(links.length).toBeGreaterThan(9)
    for (const to of links) {
      expect(to.startsWith(path)).toBe(true)
      expect((await nobody.get(to)).status).toBe(200)
    }
    const csv = await nobody.get(
      `${path}?format=csv&domain=${OTHER}&start=2026-11-20&end=2026-11-20`,
    )
    expect(csv.headers.get('content-disposition')).toContain(MINE)
    expect(csv.headers.get('x-robots-tag')).toBe('noindex')
    expect(await csv.text()).toContain('2026-11-20,chatgpt,USD,7,0,2,42,0,0,42,0,0,0\r\n')
    for (const range of ['start=x&end=y', 'start=9999-12-01&end=9999-12-31']) {
      expect(await textAt(`${path}?${range}`)).toContain('That period cannot be shown')
    }
  })

  test('opens neither the signed-in pages nor a form', async () => {
    const path = await share('report')
    const [, token = ''] = path.split('/shared/')
    for (const cookie of [`__Host-aisle=${token}`, '']) {
      const answer = await nobody.get(`/report?domain=${MINE}`, { Cookie: cookie })
      expect(answer.headers.get('location')).toMatch(/^\/sign-in/)
    }
    const sent = await nobody.post('/sign-in', { key: token })
    expect(sent.status).toBe(401)
    expect((await nobody.post(path, {})).status).toBe(405)
  })
})

test('a link to the audit shows the audit, without its switches', async () => {
  const html = await textAt(`${await share('audit')}?domain=${OTHER}`)
  expect(html).toContain('Score 71 of 100')
  expect(html).not.toMatch(/method="post"|id="badge"|id="share"|Audit again/)
})

test('a link to an audit that was not made yet says so', async () => {
  const other = await signIn({ domains: [OTHER] })
  const path = await sharedPath(await other.post('/shares', { domain: OTHER, view: 'audit' }))
  expect(await textAt(path)).toContain('There is no audit yet.')
})

describe('a link ends', () => {
  test.each([
    ['7', 7],
    ['30', 30],
    ['90', 90],
    ['3650', 7],
    ['nonsense', 7],
  ])('made for %j days, after %d', async (days, lives) => {
    const path = await share('report', days)
    clock.now = new Date(NOON.getTime() + lives * DAY_MS - 1)
    const last = await nobody.get(path)
    clock.now = new Date(NOON.getTime() + lives * DAY_MS)
    try {
      expect(last.status).toBe(200)
      await expectClosed(path)
    } finally {
      clock.now = NOON
    }
  })

  test('when its owner ends it, by the button beside it', async () => {
    const path = await share('report', '')
    const id = path.split('_')[2] ?? ''
    const list = await (await owner.get('/report')).text()
    expect(list).toContain(`<code>${id}</code>, valid until it is revoked`)
    const ended = await owner.post('/shares/end', { domain: MINE, view: 'report', id })
    expect(ended.headers.get('location')).toBe(`/report?domain=${MINE}#share`)
    await expectClosed(path)
    expect(await (await owner.get('/report')).text()).not.toContain(id)
  })

  test('by nobody else', async () => {
    const path = await share('report', '')
    const id = path.split('_')[2] ?? ''
    const stranger = await signIn({ domains: [OTHER] })
    await stranger.post('/shares/end', { domain: OTHER, view: 'report', id })
    await stranger.post('/shares/end', { domain: MINE, view: 'report', id })
    const auditor = await signIn({ domains: [MINE], scopes: ['audit'] })
    await auditor.post('/shares/end', { domain: MINE, view: 'audit', id })
    expect((await nobody.get(path)).status).toBe(200)
  })

  test('not with the key that made it, so that keys can be changed', async () => {
    const leaver = await signIn({ domains: [MINE] })
    const path = await sharedPath(await leaver.post('/shares', { domain: MINE, view: 'report' }))
    await revokeKey(db, leaver.id, NOON)
    expect((await nobody.get(path)).status).toBe(200)
    expect(await (await owner.get('/report')).text()).toContain(path.split('_')[2])
  })
})

test('no more links are made than the page lists, so that each can be ended', async () => {
  const domain = 'busy.example'
  const busy = await signIn({ domains: [domain] })
  const make = () => busy.post('/shares', { domain, view: 'report', days: '7' })
  for (let count = 0; count < 100; count++) expect((await make()).status).toBe(200)
  const refused = await make()
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Revoke some of them first')
  const list = await (await busy.get('/report')).text()
  const ids = [...list.matchAll(/name="id" value="(\w+)"/g)].map(([, id]) => id!)
  expect(ids).toHaveLength(100)
  await busy.post('/shares/end', { domain, view: 'report', id: ids.at(-1)! })
  expect((await make()).status).toBe(200)
})

test.each([
  ['cut short', (path: string) => path.slice(0, -1)],
  ['with another end', (path: string) => `${path.slice(0, -1)}~`],
  ['of another id', (path: string) => path.replace('aisle_share_', 'aisle_share_x')],
  ['that is a key', (path: string) => path.replace('share_', 'live_')],
  ['with a script', () => '/shared/%3Cscript%3Ealert(1)%3C%2Fscript%3E'],
  ['of great length', () => `/shared/${'a'.repeat(20_000)}`],
])('a token %s opens nothing', async (_, forge) => {
  await expectClosed(forge(await share('report')))
})
