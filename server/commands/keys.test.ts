import { expect, test } from 'vitest'
import type { Printable } from '../../shared/web/printable.ts'
import { testDatabase } from '../testing/app.ts'
import { createKeyCommand } from './keys.ts'

const { db } = await testDatabase()

/** What the command prints. */
async function create(flags: Partial<Parameters<typeof createKeyCommand>[0]>): Promise<string> {
  const printed: string[] = []
  const terminal = {
    print: (text: Printable) => void printed.push(String(text)),
    remark: () => {},
    progress: () => {},
    endProgress: () => {},
    colour: false,
    width: 80,
  }
  await createKeyCommand({ name: 'test', scopes: 'audit', domains: '*', ...flags }, db, terminal)
  return printed.join('\n')
}

test('a list of domains may have spaces, and each domain gets its one form', async () => {
  const printed = await create({ domains: 'Shop.Example., www.other.example', json: true })
  expect(JSON.parse(printed).domains).toEqual(['shop.example', 'www.other.example'])
})

test.each([
  [
    { domains: 'https://shop.example' },
    '--domains: "https://shop.example": Send the domain without a scheme, such as "shop.example".',
  ],
  [{ domains: 'shop.example,127.0.0.1' }, '--domains: "127.0.0.1": An IP address is not a domain.'],
  [{ domains: 'shop.example,' }, '--domains: "": This is not a host name.'],
  [
    { domains: 'shop.example:443,a/b' },
    '--domains: "shop.example:443": Send the domain without a port.\n--domains: "a/b": Send only the host name, without path, query, user or spaces.',
  ],
  [
    { scopes: 'audit,all' },
    '--scopes: "all": Use one of audit, manifest, report:read, report:write, walk.',
  ],
  [{ expires: 'soon' }, '--expires takes a date such as 2027-01-31, not "soon".'],
])('%j: the message names the flag and what to write', async (flags, message) => {
  await expect(create(flags)).rejects.toThrow(
    expect.objectContaining({ name: 'CommandError', message }),
  )
})
