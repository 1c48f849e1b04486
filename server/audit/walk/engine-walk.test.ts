import { expect, test } from 'vitest'
import { NO_ACCESS } from '../../access/testing/no-access.ts'
import { createEngine } from '../engine.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Ledger } from './ledger.ts'
import type { WalkDeps } from './order.ts'
import { pretendStore } from './testing/pretend-store.ts'

const ledger: Ledger = {
  opening: async () => {},
  opened: async () => {},
  closed: async () => {},
}

test('a walk, and what cancels the sessions of dead ones, get the means of the engine', async () => {
  const given: Omit<WalkDeps, 'onEvent' | 'ledger'>[] = []
  const store = pretendStore()
  const now = () => new Date('2026-11-21T12:00:00Z')
  const engine = createEngine({ baseUrl: '', testHosts: [] }, now, JUDGES_HERE, {
    walk: (order, deps) => {
      given.push(deps)
      return store.walk(order, deps)
    },
    cancelLeftOpen: async (_, deps) => {
      given.push(deps)
      return 0
    },
  })
  const { signal } = new AbortController()
  const order = { domain: 'shop.example', mode: 'look', intents: ['po_box'] } as const
  expect((await engine.walk(order, { ledger, signal })).routes).toHaveLength(1)
  await engine.cancelLeftOpen([], { ledger, signal, openAccess: NO_ACCESS.open })
  for (const deps of given) {
    // For its caller, who takes turns with others.
    const judges = { ...JUDGES_HERE, run: expect.any(Function) }
    expect(deps).toMatchObject({ ledger, signal, now, judges })
    expect(deps.fetcher.open).toBeTypeOf('function')
    expect(deps.newId()).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(given).toHaveLength(2)
  await engine.close()
})
