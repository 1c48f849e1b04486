import { expect, test } from 'vitest'
import { TEST_SEALER } from '../db/sealing/testing/test-sealer.ts'
import { serviceKeys } from '../signatures/service-keys.ts'
import { storeDatabase } from '../store/db/testing/database.ts'
import { TEST_KEYS } from '../store/signatures/testing/test-keys.ts'
import { testDatabase } from '../testing/app.ts'
import { listSigningKeysCommand, rotateSigningKeyCommand } from './signing-keys.ts'
import { readTerminal } from './testing/read-terminal.ts'

const at = (text: string) => ({ now: () => new Date(`2026-06-${text}Z`) })

test('keys are listed, rotated and removed, without their private halves', async () => {
  const { db } = await storeDatabase()
  const rings = [TEST_KEYS]
  const { terminal, read } = readTerminal()
  const said = () =>
    read()
      .replaceAll(/^[\w-]{43}/gm, 'kid')
      .split('\n')
  await listSigningKeysCommand({}, { rings, db, ...at('01T12:00') }, terminal)
  expect(said()).toEqual(['kid  ES256  2026-06-01 12:00  signs'])
  await rotateSigningKeyCommand({}, { rings, db, ...at('01T13:00') }, terminal)
  expect(said()).toEqual([
    'kid  ES256  2026-06-01 12:00  signs until 2026-06-01 13:10, published until 2026-06-09 13:10',
    'kid  ES256  2026-06-01 13:00  signs next',
  ])
  await listSigningKeysCommand({ json: true }, { rings, db, ...at('01T13:10') }, terminal)
  const listed = read()
  expect(listed).not.toContain('"d"')
  expect(JSON.parse(listed)).toEqual([
    {
      kid: expect.any(String),
      alg: 'ES256',
      state: 'retired',
      created_at: '2026-06-01T12:00:00.000Z',
      retired_at: '2026-06-01T13:10:00.000Z',
      published_until: '2026-06-09T13:10:00.000Z',
    },
    {
      kid: expect.any(String),
      alg: 'ES256',
      state: 'signs',
      created_at: '2026-06-01T13:00:00.000Z',
      retired_at: null,
      published_until: null,
    },
  ])
  await rotateSigningKeyCommand({ compromised: true }, { rings, db, ...at('01T14:00') }, terminal)
  expect(said()).toEqual(['kid  ES256  2026-06-01 14:00  signs'])
})

test('the service has a key of each kind, and both are rotated', async () => {
  const { db } = await testDatabase()
  const rings = Object.values(serviceKeys(TEST_SEALER))
  const { terminal, read } = readTerminal()
  await rotateSigningKeyCommand({}, { rings, db, ...at('01T12:00') }, terminal)
  const lines = read()
    .replaceAll(/^[\w-]{43}/gm, 'kid')
    .split('\n')
  expect(lines.map((line) => line.split('  ').slice(1, 4).join(' '))).toEqual([
    'EdDSA 2026-06-01 12:00 signs until 2026-06-01 12:10, published until 2026-06-09 12:10',
    'EdDSA 2026-06-01 12:00 signs next',
    'ES256 2026-06-01 12:00 signs until 2026-06-01 12:10, published until 2026-06-09 12:10',
    'ES256 2026-06-01 12:00 signs next',
  ])
})
