import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { testDatabase } from '../../testing/app.ts'
import { program } from '../../testing/program.ts'

/** Runs the demo on a port that is in use, which ends it once it has opened its database. */
async function demoThatCannotListen(env: Record<string, string>) {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const demo = await program('cli')
  const ended = await new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(
      process.execPath,
      [demo, 'demo'],
      {
        env: { ...process.env, PORT: String(port), BASE_URL: '', ...env },
        timeout: 2 * PATIENCE_MS,
      },
      (error, _, said) => resolve({ code: error?.code, said }),
    ),
  )
  taken.close()
  return { ...ended, port }
}

test('where its port is taken, the demo says so, stops what it has started, and ends', async () => {
  const { url } = await testDatabase()
  const { code, said, port } = await demoThatCannotListen({ DATABASE_URL: url })
  // Each step is a line of its own, on a terminal or not.
  expect(said).toContain('Starting the database …\n')
  expect(said).toContain(`Port ${port} of 127.0.0.1 is already in use.`)
  // A process killed at the time limit would have none.
  expect(code).toBe(2)
})

test('its database is in a folder of its own, beside that of the service', async () => {
  const folder = await mkdtemp(join(scratchFolder(), 'aisle-demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { said } = await demoThatCannotListen({ DATABASE_URL: '', DATA_DIR: folder })
  expect(said).toContain('is already in use.')
  expect(await readdir(folder)).toEqual(['demo'])
  expect(await readdir(join(folder, 'demo'))).toEqual(
    expect.arrayContaining(['demo.log', 'postgres']),
  )
})
