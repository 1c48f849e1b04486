import { expect, test } from 'vitest'
import { dayOf } from '../../shared/web/moment.ts'
import { testDatabase } from '../testing/app.ts'
import { createKeyCommand } from './keys.ts'
import { readTerminal } from './testing/read-terminal.ts'

const { db } = await testDatabase()

/** The command's output. */
async function create(flags: Partial<Parameters<typeof createKeyCommand>[0]>): Promise<string> {
  const { terminal, read } = readTerminal()
  await createKeyCommand({ name: 'test', scopes: 'audit', domains: '*', ...flags }, db, terminal)
  return read()
}

test('a list of domains may have spaces and a comma at its end, and each domain gets its one form', async () => {
  const domains = 'Shop.Example., www.other.example, https://pasted.example/products?page=2,'
  const printed = await create({ domains, json: true })
  const read = ['shop.example', 'www.other.example', 'pasted.example']
  expect(JSON.parse(printed).domains).toEqual(read)
})

test('a key is valid until its last day is over, which may be today', async () => {
  const today = dayOf(Date.now())
  const printed = await create({ expires: today, json: true })
  expect(JSON.parse(printed).expires_at).toBe(`${today}T23:59:59.999Z`)
  expect(await create({ expires: '2999-12-31' })).toContain('; expires 2999-12-31;')
})

test.each<[object, string]>([
  [
    { domains: 'ftp://shop.example' },
    '--domains: "ftp://shop.example": Send the domain without a scheme, such as "shop.example".',
  ],
  [{ domains: 'shop.example,127.0.0.1' }, '--domains: "127.0.0.1": An IP address is not a domain.'],
  [{ domains: ' , ' }, '--domains names no domain. Name some, or * for all.'],
  [{ scopes: ',' }, '--scopes: Send at least 1 entry.'],
  [
    { domains: 'shop.example:8443,a/b' },
    '--domains: "shop.example:8443": Send the domain without a port.\n--domains: "a/b": Send only the host name, without path, query, user or spaces.',
  ],
  [
    { scopes: 'audit,all' },
    '--scopes: "all": Use one of audit, manifest, report:read, report:write, walk.',
  ],
  [{ name: '' }, '--name: Send at least 1 character.'],
  [{ name: 'x'.repeat(201) }, '--name: Send at most 200 characters.'],
  ...['soon', '90', '12', '2027-02-31', '01.02.2027', '2027-01-31T12:00:00Z', ''].map(
    (expires): [object, string] => [
      { expires },
      `--expires takes the year, month and day of a day that exists, such as 2027-01-31, not "${expires}".`,
    ],
  ),
  [{ expires: '2020-01-01' }, '--expires: 2020-01-01 is over. Name today or a later day.'],
])('%j: the message names the flag and what to write', async (flags, message) => {
  await expect(create(flags)).rejects.toThrow(
    expect.objectContaining({ name: 'CommandError', message }),
  )
})
