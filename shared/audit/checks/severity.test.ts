import { expect, test } from 'vitest'
import { CHECKS } from './index.ts'

// Spec, Gap item: medium "affects attribution or discoverability, not checkout".
test.each(['checkout', 'acp'] as const)('no gap of %s is medium', (check) => {
  const medium = CHECKS[check].filter(({ severity }) => severity === 'medium')
  expect(medium.map(({ gap }) => gap)).toEqual([])
})
