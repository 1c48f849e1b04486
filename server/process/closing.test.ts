import { expect, test } from 'vitest'
import { createClosing } from './closing.ts'

function setting() {
  const said: string[] = []
  const logged: unknown[] = []
  const log = { error: ({ err }: { err: unknown }) => void logged.push(err) }
  const closing = createClosing(log as Parameters<typeof createClosing>[0])
  return { said, logged, closing }
}

test('what was opened last is closed first, and each once', async () => {
  const { said, closing } = setting()
  for (const name of ['database', 'port']) {
    closing.later(async (announced) => said.push(`${name} ${announced}`))
  }
  await closing.all(true)
  await closing.all(true)
  expect(said).toEqual(['port true', 'database true'])
})

test('what cannot be closed is logged, and keeps nothing from closing', async () => {
  const { said, logged, closing } = setting()
  closing.later(() => said.push('database'))
  closing.later(() => Promise.reject(new Error('it hangs')))
  closing.later(() => {
    throw new Error('it is gone')
  })
  closing.later(() => Promise.reject(new Error('it sweeps')), { begun: 'early' })
  expect(await closing.all()).toBe(3)
  expect(said).toEqual(['database'])
  expect(logged.map(String)).toEqual(['Error: it sweeps', 'Error: it is gone', 'Error: it hangs'])
})

test('what begins early ends beside the others, and what was opened before waits for it', async () => {
  const { said, closing } = setting()
  const told = Promise.withResolvers<void>()
  closing.later(() => said.push('database'))
  closing.later(
    async () => {
      said.push('walks are ending')
      await told.promise
      said.push('walks have ended')
    },
    { begun: 'early' },
  )
  closing.later(() => {
    said.push('port')
    told.resolve()
  })
  await closing.all()
  expect(said).toEqual(['walks are ending', 'port', 'walks have ended', 'database'])
})
