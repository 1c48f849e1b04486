import type { Terminal } from '../terminal/terminal.ts'

interface Said {
  terminal: Terminal
  /** The output since it was last read. */
  read: () => string
  /** The remarks since they were last read. */
  remarks: () => string[]
}

/** A terminal without colours whose output can be read. */
export function readTerminal({
  width = 100,
  progress = () => {},
}: Partial<Pick<Terminal, 'width' | 'progress'>> = {}): Said {
  const printed: string[] = []
  const remarked: string[] = []
  return {
    terminal: {
      colour: false,
      width,
      print: (text) => printed.push(String(text)),
      remark: (text) => remarked.push(String(text)),
      progress,
      endProgress: () => {},
    },
    read: () => printed.splice(0).join('\n'),
    remarks: () => remarked.splice(0),
  }
}
