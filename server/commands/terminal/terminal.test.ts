import { expect, test } from 'vitest'
import { printable } from '../../../shared/web/text/printable.ts'
import type { Output } from '../../process/output.ts'
import { terminalOf } from './terminal.ts'

const TEXT = 'Auditing shop.example …'

test.each([
  { columns: 80, width: 80, progress: TEXT },
  { columns: 300, width: 100, progress: TEXT },
  { columns: 12, width: 12, progress: TEXT.slice(0, 11) },
  { columns: undefined, width: 100, progress: TEXT },
  // A terminal that does not know its size.
  { columns: 0, width: 100, progress: TEXT },
])('$columns columns: texts are $width wide', ({ columns, width, progress }) => {
  const said: string[] = []
  const out: Output = {
    isTerminal: true,
    columns,
    line: () => {},
    overwrite: (text) => void said.push(String(text)),
    lost: new Promise<never>(() => {}),
  }
  const terminal = terminalOf(out, out, {})
  expect(terminal.width).toBe(width)
  terminal.progress(printable`${TEXT}`)
  expect(said).toEqual([progress])
})
