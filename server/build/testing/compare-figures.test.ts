import { expect, test } from 'vitest'
import { compareFigures } from './compare-figures.ts'

test('each number of a line is shown with what it was, by the median of the rounds', () => {
  const there = ['orders 1,000/s: 0.50 s of 64 clients\n', 'orders 1,200/s: 0.60 s of 64 clients\n']
  const here = ['orders 1,500/s: 0.30 s of 64 clients\n']
  expect(compareFigures(there, here)).toBe(
    'orders 1200 → 1500 (× 1.25)/s: 0.6 → 0.3 (× 0.5) s of 64 clients\n',
  )
})

test('lines of the same words are told apart by their order, and new ones have no past', () => {
  const there = ['took 2 s\ntook 8 s\n']
  expect(compareFigures(there, ['took 1 s\nno figure\ntook 4 s\nnew 3\n'])).toBe(
    'took 2 → 1 (× 0.5) s\ntook 8 → 4 (× 0.5) s\nnew 3\n',
  )
})

test('progress that a program shows on the way is no figure', () => {
  const progress = (n: number) => `\u001b[?25l- [${n}/5] a part\u001b[K\u001b[?25htook ${n} s\n`
  expect(compareFigures([progress(2)], [progress(3)])).toBe('took 2 → 3 (× 1.5) s\n')
})
