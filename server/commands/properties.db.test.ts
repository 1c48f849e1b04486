import { expect, test } from 'vitest'
import { Property } from '../../shared/attribution/property.ts'
import { prepareSnippet } from '../attribution/snippet/asset.ts'
import { testDatabase } from '../testing/app.ts'
import { createPropertyCommand, listPropertiesCommand, setPropertyCommand } from './properties.ts'
import { CommandError } from './terminal/command-error.ts'
import { readTerminal } from './testing/read-terminal.ts'

const deps = {
  ...(await testDatabase()),
  baseUrl: 'https://aisle.example',
  snippet: await prepareSnippet('x'),
}
const { terminal, read } = readTerminal()
const create = (flags: Parameters<typeof createPropertyCommand>[0]) =>
  createPropertyCommand(flags, deps, terminal).then(read)
const list = (json: boolean) => listPropertiesCommand({ json }, deps, terminal).then(read)

test('a property is created, shown and listed', async () => {
  expect(await list(false)).toBe(
    'No properties yet. Create one with: aisle properties create --domain shop.example',
  )
  const created = Property.strict().parse(
    JSON.parse(await create({ domain: 'https://WWW.Shop.example/', json: true })),
  )
  expect(created).toMatchObject({
    domain: 'www.shop.example',
    origins: ['https://shop.example', 'https://*.shop.example'],
    tag: `<script async src="https://aisle.example/attribution.js?id=${created.id}"></script>`,
    last_event_at: null,
  })
  expect(created.pinned_tag).toContain(`integrity="${deps.snippet.integrity}"`)
  expect(JSON.parse(await list(true))).toEqual([created])
  expect(await list(false)).toBe(
    `${created.id}  www.shop.example  from https://shop.example, https://*.shop.example; last event never\n  ${created.tag}`,
  )
})

test('its currency can be named, changed and taken away', async () => {
  const created = JSON.parse(
    await create({ domain: 'priced.example', currency: 'EUR', json: true }),
  )
  expect(created.currency).toBe('EUR')
  const set = (id: string, currency: string, json = false) =>
    setPropertyCommand(id, { currency, json }, deps, terminal).then(() => read())
  expect(await set(created.id, 'JPY')).toBe(
    `${created.id}: a value without a currency counts in JPY. Its days are those of UTC. An order counts for 1 day after its visit.`,
  )
  expect(await list(false)).toContain('; values in JPY; last event never')
  expect(JSON.parse(await set(created.id, 'none', true))).toEqual({
    id: created.id,
    currency: null,
    time_zone: 'UTC',
    lookback_days: 1,
  })
  expect(await list(false)).not.toContain('JPY')
  await expect(set(created.id, 'euro')).rejects.toThrow('--currency: Send an ISO 4217 code')
  await expect(set('prop_x', 'EUR')).rejects.toThrow('No property prop_x.')
})

test('its time zone can be named and changed', async () => {
  const flags = { domain: 'zoned.example', timeZone: 'Europe/Berlin', json: true }
  const created = JSON.parse(await create(flags))
  expect(created.time_zone).toBe('Europe/Berlin')
  const set = (timeZone?: string) =>
    setPropertyCommand(created.id, timeZone === undefined ? {} : { timeZone }, deps, terminal)
  await set('Asia/Tokyo')
  expect(read()).toContain('Its days are those of Asia/Tokyo.')
  for (const zone of ['Berlin', '+02:00', '', '../etc/passwd', 'x'.repeat(10_000)]) {
    await expect(set(zone)).rejects.toThrow('--time-zone: Send the name of a time zone')
  }
  await expect(set()).rejects.toThrow('Give --currency, --time-zone or --lookback-days.')
})

test('how far it looks back can be named and changed, and its tag says so', async () => {
  const flags = { domain: 'later.example', lookbackDays: '7', json: true }
  const created = JSON.parse(await create(flags))
  expect(created).toMatchObject({
    lookback_days: 7,
    tag: expect.stringMatching(/" data-lookback="7"><\/script>$/),
    pinned_tag: expect.stringContaining(' data-lookback="7" '),
  })
  const set = (lookbackDays: string) =>
    setPropertyCommand(created.id, { lookbackDays }, deps, terminal)
  await set('14')
  expect(read()).toContain('An order counts for 14 days after its visit.')
  for (const days of ['0', '91', '1.5', 'a week', '']) {
    await expect(set(days)).rejects.toThrow('--lookback-days: Send')
  }
})

test('its origins can be named', async () => {
  const text = await create({
    domain: 'shop.example',
    origins: 'https://shop.example, http://localhost:3000',
  })
  expect(text).toContain('sessions from https://shop.example, http://localhost:3000. Put this')
  expect(text).toContain('<script async src="https://aisle.example/attribution.js?id=prop_')
  expect(text).toContain('integrity="sha384-')
})

test.each([
  [{ domain: 'ftp://shop.example' }, '--domain: Send the domain without a scheme'],
  [{ domain: 'localhost' }, '--domain: This is not a public host name'],
  [{ domain: 'shop.example', origins: '' }, '--origins: Name at least one origin'],
  [
    { domain: 'shop.example', origins: 'https://shop.example,http://shop.com' },
    '--origins: "http://shop.com": An origin starts with https://',
  ],
])('%j is refused: %s', async (flags, says) => {
  await expect(create(flags)).rejects.toThrow(says)
  await expect(create(flags)).rejects.toBeInstanceOf(CommandError)
})
