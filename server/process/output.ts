import type { Printable } from '../../shared/web/text/printable.ts'

/** Standard output or standard error: the only way to them, and it accepts only printable text. */
export interface Output {
  readonly isTerminal: boolean
  /** Undefined if it is not a terminal. */
  readonly columns: number | undefined
  line: (text: Printable) => void
  /** Writes over the current line, and stays in it; without a text the line is left empty. */
  overwrite: (text?: Printable) => void
  /**
   * Resolves with the reason once it cannot be written to: EPIPE if the reader of a pipe has ended.
   * Later writes are discarded.
   */
  lost: Promise<NodeJS.ErrnoException>
}

const ERASE_LINE = '\r\u001b[2K'

function outputTo(stream: NodeJS.WriteStream): Output {
  let isLost = false
  // Without a listener, an error of a stream ends the process with a stack trace.
  const lost = new Promise<NodeJS.ErrnoException>((resolve) => {
    stream.on('error', (error) => {
      isLost = true
      resolve(error)
    })
  })
  const write = (text: string) => {
    if (!isLost) stream.write(text)
  }
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns
    },
    line: (text) => write(`${text}\n`),
    overwrite: (text) => write(`${ERASE_LINE}${text ?? ''}`),
    lost,
  }
}

export const STDOUT = outputTo(process.stdout)
export const STDERR = outputTo(process.stderr)

/** For a command that speaks a protocol on them: then nothing else may be written to STDOUT. */
export const PROTOCOL_STREAMS = { input: process.stdin, output: process.stdout }
