import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { testDatabase } from '../../testing/app.ts'
import { isDatabaseUnavailable } from '../connection/failures.ts'
import { createPool } from '../connection/pool.ts'
import { createNodes, type Nodes } from './nodes.ts'

const { sql: coordinator, url } = await testDatabase()

const NODE = 'node-1:5432'
const RETRY_MS = 10_000
/** A server that is not there: nothing listens on this port. */
const NOWHERE = 'postgres://127.0.0.1:1/none'

let nodes: Nodes
let now = 0
/** Where the name of the node leads to from here. */
let place = url
/** What a server calls itself to those who come directly. */
let name = 'node-1'
let opened: Sql[] = []
/** How often a server has said so. */
let met = 0
/** When it says so. */
let said = Promise.resolve()

const findNodes = (answersWithinMs: number) =>
  createNodes({
    coordinator,
    open: () => {
      const pool = createPool(place, {
        max: 2,
        fetch_types: false,
        connection: { application_name: 'direct' },
      })
      opened.push(pool)
      return pool
    },
    answersWithinMs,
    retryMs: RETRY_MS,
    clock: () => now,
  })

beforeEach(() => {
  ;[now, place, name, opened, met] = [0, url, 'node-1', [], 0]
  said = Promise.resolve()
  nodes = findNodes(PATIENCE_MS)
})
afterEach(async () => {
  await nodes.close()
  await Promise.all(opened.map((pool) => pool.end({ timeout: 0 })))
})

const whichServer = async (by: Sql) => {
  await by`select`
  if (by === coordinator) return 'node-1'
  met += 1
  await said
  return name
}
const ask = <Answer>(question: (by: Sql) => Promise<Answer>) =>
  nodes.ask(NODE, question, whichServer)
/** By whose connections the node is asked. */
const askedBy = () =>
  ask(async (by) => {
    const [row] = await by<{ name: string }[]>`select current_setting('application_name') as name`
    return row?.name
  })
const isTried = (times: number) => eventually(() => opened.length).toBe(times)

test('the coordinator is asked until the node is reached, and then the node', async () => {
  expect(await askedBy()).toBe('aisle')
  await eventually(askedBy).toBe('direct')
  expect(nodes.reached()).toBe(1)
  expect(opened).toHaveLength(1)
})

test('a node that cannot be reached is tried again after a while', async () => {
  place = NOWHERE
  expect(await askedBy()).toBe('aisle')
  await isTried(1)
  place = url
  now += RETRY_MS
  expect(await askedBy()).toBe('aisle')
  expect(opened).toHaveLength(1)
  now += 1
  await eventually(askedBy).toBe('direct')
})

test('a node that is slow to say who it is is not tried beside that', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  said = promise
  await askedBy()
  await eventually(() => met).toBe(1)
  now += RETRY_MS + 1
  expect(await askedBy()).toBe('aisle')
  expect(opened).toHaveLength(1)
  resolve()
  await eventually(askedBy).toBe('direct')
})

test('another server under the name of the node is not asked', async () => {
  name = 'somebody else'
  await askedBy()
  await eventually(() => met).toBe(1)
  // Its connections are closed then.
  await eventually(async () => [
    ...(await coordinator`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'direct'`),
  ]).toEqual([])
  expect(await askedBy()).toBe('aisle')
  expect(nodes.reached()).toBe(0)
})

test('what a node refuses is told, and it is asked again', async () => {
  await eventually(askedBy).toBe('direct')
  await expect(ask(async (by) => by`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
  expect(await askedBy()).toBe('direct')
})

test('a node that goes away is asked through the coordinator, until it is reached again', async () => {
  await eventually(askedBy).toBe('direct')
  const gone = ask(
    async (by) => by`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`,
  ).catch((error: unknown) => error)
  expect(isDatabaseUnavailable(await gone)).toBe(true)
  expect(await askedBy()).toBe('aisle')
  now += RETRY_MS + 1
  await eventually(askedBy).toBe('direct')
})

test('a node that hangs is given up, and so is all that waits for it', async () => {
  await nodes.close()
  nodes = findNodes(1000)
  // A try that takes longer is given up as well, and comes again.
  await eventually(() => {
    now += RETRY_MS + 1
    return askedBy()
  }).toBe('direct')
  const hung = await Promise.all(
    Array.from({ length: 4 }, () =>
      ask(async (by) => by`select pg_sleep(60)`).catch((error: unknown) => error),
    ),
  )
  expect(hung.map(isDatabaseUnavailable)).toEqual([true, true, true, true])
  expect(await askedBy()).toBe('aisle')
})

test('once closed, it opens nothing', async () => {
  await eventually(askedBy).toBe('direct')
  await nodes.close()
  now += RETRY_MS + 1
  expect(await askedBy()).toBe('aisle')
  expect(opened).toHaveLength(1)
})
