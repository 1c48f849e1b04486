/** What a command writes to: results to one stream, remarks and progress to the other. */
export interface Terminal {
  colour: boolean
  /** Columns. */
  width: number
  print: (text: string) => void
  /** A line beside the result, which a file that the result is written to does not get. */
  remark: (text: string) => void
  /** One line that overwrites itself; nothing if the stream is not a terminal. */
  progress: (text: string) => void
  endProgress: () => void
}

const MAX_WIDTH = 100
const ERASE_LINE = '\r\u001b[2K'

export function terminalOf(
  out: NodeJS.WriteStream,
  progressOut: NodeJS.WriteStream,
  env: { NO_COLOR?: string | undefined },
): Terminal {
  const width = Math.min(out.columns ?? MAX_WIDTH, MAX_WIDTH)
  const shows = progressOut.isTTY === true
  let open = false
  return {
    colour: out.isTTY === true && !env.NO_COLOR,
    width,
    print: (text) => out.write(text.endsWith('\n') ? text : `${text}\n`),
    remark: (text) => progressOut.write(`${text}\n`),
    progress: (text) => {
      if (!shows) return
      open = true
      progressOut.write(ERASE_LINE + text.slice(0, (progressOut.columns ?? MAX_WIDTH) - 1))
    },
    endProgress: () => {
      if (open) progressOut.write(ERASE_LINE)
      open = false
    },
  }
}
