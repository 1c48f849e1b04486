import { expect, test } from 'vitest'
import { addOnce } from './add-once.ts'

test('what another process adds at the same moment is there, and what fails is told', async () => {
  const rows = new Set<string>()
  const isThere = async () => rows.has('a')
  const add = async () => rows.add('a')
  expect([await addOnce(isThere, add), await addOnce(isThere, add)]).toEqual([true, false])

  rows.clear()
  const refuse = async () => {
    await add()
    throw new Error('duplicate key')
  }
  expect(await addOnce(isThere, refuse)).toBe(false)
  rows.clear()
  const fail = () => Promise.reject(new Error('no table'))
  await expect(addOnce(isThere, fail)).rejects.toThrow('no table')
})
