import type { Printable } from '../shared/web/printable.ts'

/** Standard output or standard error: the only way to them, and it takes nothing but printable text. */
export interface Output {
  readonly isTerminal: boolean
  /** Undefined where it is no terminal. */
  readonly columns: number | undefined
  line: (text: Printable) => void
  /** Writes over the current line, and stays in it; without a text the line is left empty. */
  overwrite: (text?: Printable) => void
}

const ERASE_LINE = '\r\u001b[2K'

const outputTo = (stream: NodeJS.WriteStream): Output => ({
  isTerminal: stream.isTTY === true,
  get columns() {
    return stream.columns
  },
  line: (text) => void stream.write(`${text}\n`),
  overwrite: (text) => void stream.write(`${ERASE_LINE}${text ?? ''}`),
})

export const STDOUT = outputTo(process.stdout)
export const STDERR = outputTo(process.stderr)

/** For a command that speaks a protocol on them: then nothing else may be written to STDOUT. */
export const PROTOCOL_STREAMS = { input: process.stdin, output: process.stdout }
