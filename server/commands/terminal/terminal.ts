import { type Printable, printable } from '../../../shared/web/text/printable.ts'
import type { Output } from '../../process/output.ts'

/** The output of a command: results to one stream, remarks and progress to the other. */
export interface Terminal {
  colour: boolean
  /** Columns. */
  width: number
  print: (text: Printable) => void
  /** A line on the other stream, which is not in the file of the result. */
  remark: (text: Printable) => void
  /** One line that overwrites itself; nothing if the stream is not a terminal. */
  progress: (text: Printable) => void
  endProgress: () => void
}

const MAX_WIDTH = 100

/** A terminal of unknown size says 0, as in `docker run -t` or under `script`. */
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
      // Escaped again, because a cut text is plain again. It holds no colours.
      const cut = String(text).slice(0, columnsOf(progressOut) - 1)
      progressOut.overwrite(printable`${cut}`)
    },
    endProgress: () => {
      if (open) progressOut.overwrite()
      open = false
    },
  }
}
