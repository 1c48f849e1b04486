import { type Printable, printable } from '../../../shared/web/printable.ts'
import type { Output } from '../../output.ts'

/** What a command writes to: results to one stream, remarks and progress to the other. */
export interface Terminal {
  colour: boolean
  /** Columns. */
  width: number
  print: (text: Printable) => void
  /** A line beside the result, which a file that the result is written to does not get. */
  remark: (text: Printable) => void
  /** One line that overwrites itself; nothing if the stream is not a terminal. */
  progress: (text: Printable) => void
  endProgress: () => void
}

const MAX_WIDTH = 100

/** A terminal that was never told its size says 0, as in `docker run -t` or under `script`. */
const columnsOf = (out: Output): number => out.columns || MAX_WIDTH

export function terminalOf(
  out: Output,
  progressOut: Output,
  env: { NO_COLOR?: string | undefined },
): Terminal {
  let open = false
  return {
    colour: out.isTerminal && !env.NO_COLOR,
    width: Math.min(columnsOf(out), MAX_WIDTH),
    print: out.line,
    remark: progressOut.line,
    progress: (text) => {
      if (!progressOut.isTerminal) return
      open = true
      // Escaped once more, as a cut text is plain again. It holds no colours.
      const cut = String(text).slice(0, columnsOf(progressOut) - 1)
      progressOut.overwrite(printable`${cut}`)
    },
    endProgress: () => {
      if (open) progressOut.overwrite()
      open = false
    },
  }
}
