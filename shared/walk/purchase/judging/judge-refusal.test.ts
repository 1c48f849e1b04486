import { expect, test } from 'vitest'
import type { RefusalFault } from '../../session.ts'
import { beginStep } from '../../step-notes.ts'
import { judgeWords } from './judge-refusal.ts'

test.each<[RefusalFault | null, string | null]>([
  [null, null],
  // What is said of the whole refusal is about the field that a refusal is read by.
  [{ problem: 'has no code', field: null }, 'error.code: The refusal has no code.'],
  [
    { problem: 'is malformed: error.retryable is missing', field: 'error.retryable' },
    'error.retryable: The refusal is malformed: error.retryable is missing.',
  ],
])('the words of a refusal with %j', (fault, said) => {
  const notes = beginStep(
    { authority: { checkout: '', errors: '', idempotency: '', payment: '', limits: '' } },
    { n: 1, step: 'open', title: 'Opens' },
  )
  const refusal = { status: 400, code: null, text: null, reason: 'invalid' as const, fault }
  judgeWords(refusal, notes, 'error.code')
  const { failed, held } = notes.done()
  expect(failed && `${failed.field}: ${failed.found}`).toBe(said)
  expect(held).toEqual(said === null ? ['errors_explain'] : [])
})
