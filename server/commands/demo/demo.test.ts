import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { testDatabase } from '../../testing/app.ts'
import { program } from '../../testing/program.ts'

test('where its port is taken, the demo says so, stops what it has started, and ends', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { url } = await testDatabase()
  const env = { ...process.env, DATABASE_URL: url, PORT: String(port), BASE_URL: '' }
  const demo = await program('cli')
  const ended = await new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(
      process.execPath,
      [demo, 'demo'],
      { env, timeout: 2 * PATIENCE_MS },
      (error, _, said) => resolve({ code: error?.code, said }),
    ),
  )
  expect(ended.said).toContain(`Port ${port} of 127.0.0.1 is already in use.`)
  // Killed after the time above, it would have none.
  expect(ended.code).toBe(2)
  taken.close()
})
