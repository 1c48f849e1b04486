import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import type { Incident } from '../../../shared/watch/incident.ts'
import { closeIncident, openIncident } from '../../db/watch/incidents.ts'
import { hasStatusPage, setStatusPage } from '../../db/watch/status-pages.ts'
import { watches } from '../../db/watch/tables.ts'
import { findWatch } from '../../db/watch/watches.ts'
import { testDatabase } from '../../testing/app.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { type ApplyFlags, applyWatchesCommand } from './apply.ts'
import { incidentsCommand } from './incidents.ts'
import {
  addWatchCommand,
  changeWatchCommand,
  deleteWatchCommand,
  listWatchesCommand,
  lookCommand,
  pauseWatchCommand,
  type WatchFlags,
} from './watches.ts'

const { db } = await testDatabase()
const NOW = new Date('2026-11-25T12:34:00Z')
const deps = { db, now: () => NOW, baseUrl: 'https://aisle.example' }
const { terminal, read } = readTerminal()
const said = async (work: Promise<void>) => {
  await work
  return read()
}
const add = (domain: string, flags: WatchFlags = {}) =>
  said(addWatchCommand(domain, flags, deps, terminal))
const change = (domain: string, flags: WatchFlags) =>
  said(changeWatchCommand(domain, flags, deps, terminal))
const list = (json = false) => said(listWatchesCommand({ json }, deps, terminal))

test('a domain is watched, changed, paused, looked at and no longer watched', async () => {
  expect(await list()).toBe(
    'Nothing is watched yet. Watch a domain with: aisle watches add shop.example',
  )
  expect(await add('https://Shop.example/')).toBe(
    'shop.example  not audited yet; next at 2026-11-25T12:34:00.000Z\n  every hour; alerts from high on; UTC',
  )
  const changed = await change('shop.example', {
    period: 'daily',
    severity: 'critical',
    walk: true,
    quietHours: '22:00-07:00',
    timeZone: 'Europe/Berlin',
    report: false,
    tags: 'shoes, eu',
  })
  expect(changed).toContain(
    'every day; alerts from critical on; with walks; quiet from 22:00 to 07:00; Europe/Berlin; without the report; tags shoes, eu',
  )
  expect(await change('shop.example', { quietHours: 'none' })).not.toContain('quiet')
  expect(await said(pauseWatchCommand('shop.example', true, {}, deps, terminal))).toContain(
    'paused',
  )
  await expect(lookCommand('shop.example', {}, deps, terminal)).rejects.toThrow(
    'The watch of shop.example is paused. Go on with: aisle watches resume',
  )
  await said(pauseWatchCommand('shop.example', false, {}, deps, terminal))
  await db
    .update(watches)
    .set({ next_at: new Date('2026-11-26T00:00:00Z') })
    .where(eq(watches.domain, 'shop.example'))
  await said(lookCommand('shop.example', {}, deps, terminal))
  expect((await findWatch(db, 'shop.example'))?.next_at).toEqual(NOW)
  expect(JSON.parse(await list(true))).toMatchObject([
    { domain: 'shop.example', period: 'daily', url: 'https://aisle.example/watches/shop.example' },
  ])
  await setStatusPage(db, 'shop.example', { shown: true, now: NOW })
  expect(await said(deleteWatchCommand('shop.example', {}, deps, terminal))).toBe(
    'shop.example is no longer watched. Its channels and its public status page are deleted; its incidents are closed, and stay.',
  )
  expect(await hasStatusPage(db, 'shop.example')).toBe(false)
  expect(await list()).toContain('Nothing is watched yet.')
})

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['a domain that is none', () => add('127.0.0.1'), /^domain: /],
  ['a period', () => add('a.example', { period: 'daly' }), /^--period: .*hourly/],
  ['a severity', () => add('a.example', { severity: 'bad' }), /^--severity: .*critical/],
  ['a check', () => add('a.example', { checks: 'catalogue' }), /^--checks: /],
  ['a zone', () => add('a.example', { timeZone: 'Berlin' }), /^--time-zone: .*Europe\/Berlin/],
  ...['22:00', '25:00-07:00', '22-7', '22:00-22:00', '22:00-07:00-08:00', ''].map(
    (quietHours): [string, () => Promise<unknown>, RegExp] => [
      `the hours ${quietHours}`,
      () => add('a.example', { quietHours }),
      new RegExp(
        `^--quiet-hours takes a beginning and an end, such as 22:00-07:00, not "${quietHours}"\\.$`,
      ),
    ],
  ),
  [
    'an unknown watch',
    () => change('none.example', { period: 'daily' }),
    /not watched. List .* aisle watches list/,
  ],
  ['no change', () => change('none.example', {}), /--period daily/],
  [
    'an unknown watch to delete',
    () => said(deleteWatchCommand('none.example', {}, deps, terminal)),
    /aisle watches list/,
  ],
])('it says what is wrong: %s', async (_, work, message) => {
  await expect(work()).rejects.toThrow(message)
  expect(await findWatch(db, 'a.example')).toBeNull()
})

test('one that is there is not made again', async () => {
  await add('twice.example')
  await expect(add('twice.example')).rejects.toThrow(
    'twice.example is watched already. Change its watch with: aisle watches change',
  )
  await said(deleteWatchCommand('twice.example', {}, deps, terminal))
})

const folder = await mkdtemp(join(inject('runFolder'), 'apply-'))
async function apply(file: unknown, flags: ApplyFlags = {}) {
  const config = join(folder, 'aisle.json')
  await writeFile(config, JSON.stringify(file))
  return said(applyWatchesCommand({ config, ...flags }, deps, terminal))
}

test('aisle.json makes watches so, says what it did, and does nothing the second time', async () => {
  await add('old.example', { period: 'weekly', tags: 'mine', quietHours: '22:00-07:00' })
  await add('other.example')
  const file = {
    domains: ['new.example', 'old.example'],
    checks: ['checkout', 'catalog'],
    watch: {
      period: 'six_hourly',
      time_zone: 'Europe/Berlin',
      overrides: [{ domain: 'old.example', period: 'daily', quiet_hours: 'none' }],
    },
  }
  const would = await apply(file, { dryRun: true })
  expect(would.split('\n')).toEqual([
    'new.example would be watched: checks ["catalog","checkout"], period six_hourly, time_zone Europe/Berlin.',
    expect.stringMatching(
      /^old\.example would be changed: checks .* → \["catalog","checkout"\], period weekly → daily, quiet_hours \{.*\} → none, time_zone UTC → Europe\/Berlin\.$/,
    ),
  ])
  expect(await findWatch(db, 'new.example')).toBeNull()
  expect(await apply(file)).toBe(
    would.replace('would be watched', 'is watched now').replace('would be changed', 'is changed'),
  )
  expect(await findWatch(db, 'new.example')).toMatchObject({
    period: 'six_hourly',
    checks: ['catalog', 'checkout'],
    severity: 'high',
  })
  expect(await findWatch(db, 'old.example')).toMatchObject({
    period: 'daily',
    quiet_hours: null,
    // What the file does not set stays.
    tags: ['mine'],
  })
  const before = await db.select().from(watches)
  expect(await apply(file)).toBe('new.example is as it should be.\nold.example is as it should be.')
  expect(JSON.parse(await apply(file, { json: true }))).toEqual({
    dry_run: false,
    steps: [
      { domain: 'new.example', does: 'keep', changes: {} },
      { domain: 'old.example', does: 'keep', changes: {} },
    ],
  })
  expect(await db.select().from(watches)).toEqual(before)
})

test('quiet hours are the same in whatever order the database has their parts', async () => {
  const watch = { quiet_hours: { to: '07:00', from: '22:00' }, tags: ['b', 'a'] }
  const file = { domains: ['quiet.example'], watch }
  await apply(file)
  expect(await apply(file)).toBe('quiet.example is as it should be.')
})

test('a file that says nothing of watches is refused, with what to write', async () => {
  await expect(apply({ domains: ['a.example'] })).rejects.toThrow(/has no "watch"/)
  await expect(apply({ watch: {} })).rejects.toThrow(/has no "domains"/)
  await expect(apply({ domains: ['a.example'], watch: { period: 'x' } })).rejects.toThrow(
    /has one problem/,
  )
  const none = { config: join(folder, 'none.json') }
  await expect(applyWatchesCommand(none, deps, terminal)).rejects.toThrow(/does not exist/)
})

test('incidents are listed, the worst first, of one domain or of all', async () => {
  const incidents = (named?: string, flags: { all?: boolean; json?: boolean } = {}) =>
    said(incidentsCommand(named, flags, { db }, terminal))
  expect(await incidents()).toBe('There are no open incidents.')
  await expect(incidents('unknown.example')).rejects.toThrow(/aisle watches add unknown\.example/)
  const open = (domain: string, severity: 'critical' | 'medium', subject: string) =>
    openIncident(db, {
      domain,
      id: randomUUID(),
      kind: 'gap',
      subject,
      severity,
      label: `${subject} \u001b[31m`,
      detail: 'Found nothing.',
      fix: 'Connect it.',
      points: 4,
      changes: [],
      steps: [],
      is_known: false,
      well_at: null,
      first_seen_at: NOW,
      last_seen_at: NOW,
      opened_at: NOW,
      closed_at: null,
    })
  await open('one.example', 'medium', 'feed_missing')
  await open('two.example', 'critical', 'catalog_empty')
  await open('two.example', 'critical', 'over')
  await closeIncident(db, { domain: 'two.example', kind: 'gap', subject: 'over' }, NOW)
  const all = await incidents()
  expect(all.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
    expect.stringMatching(
      /^two\.example {2}critical: catalog_empty .*, costs 4; open since 2026-11-25T12:34:00\.000Z$/,
    ),
    expect.stringMatching(/^one\.example {2}medium: feed_missing/),
  ])
  // Text of a page is escaped for the terminal.
  expect(all).not.toContain('\u001b')
  expect(await incidents('one.example')).toContain('What to do: Connect it.')
  const listed: Incident[] = JSON.parse(await incidents(undefined, { all: true, json: true }))
  expect(listed.map(({ subject, closed_at }) => [subject, closed_at !== null]).toSorted()).toEqual([
    ['catalog_empty', false],
    ['feed_missing', false],
    ['over', true],
  ])
})
