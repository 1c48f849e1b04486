import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { watch_deliveries } from '../../db/watch/tables.ts'
import { answers } from '../../jobs/testing/receiver.ts'
import { program } from '../../testing/program.ts'
import { prepareReplica } from '../../testing/replicas.ts'
import { channelWorld } from './testing/world.ts'

test('a process that is killed while a receiver answers loses nothing: another takes over', async () => {
  const { db, database, receiver, add, tell, clock } = await channelWorld()
  clock.at = Date.now()
  await add('webhook', 'https://hook.example/')
  receiver.answer = () => {}
  const { id } = await tell()
  const file = await program('test-server')
  const env = {
    DATABASE_URL: database.url,
    TEST_HOSTS: `*.example=${receiver.origin}`,
    LOG_REQUESTS: 'off',
  }
  const [dying, other] = [await prepareReplica(file, env), await prepareReplica(file, env)]
  await dying.start()
  await eventually(() => receiver.received.length).toBe(1)
  await dying.kill()
  receiver.answer = answers(204)
  await other.start()
  try {
    // The lease of the one that died is still running; this is the end of it.
    await db.update(watch_deliveries).set({ leased_until: new Date(0) })
    await eventually(async () => (await db.select().from(watch_deliveries))[0]?.last_status).toBe(
      204,
    )
  } finally {
    await other.stop()
  }
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual([id, id])
  expect(await db.select().from(watch_deliveries)).toMatchObject([{ attempts: 1, next_at: null }])
})
