import type { Terminal } from '../terminal/terminal.ts'

/**
 * A terminal without colours, 100 columns wide, and what was printed on it since it was last read.
 */
export function readTerminal(): { terminal: Terminal; read: () => string } {
  const lines: string[] = []
  return {
    terminal: {
      colour: false,
      width: 100,
      print: (text) => lines.push(String(text)),
      remark: () => {},
      progress: () => {},
      endProgress: () => {},
    },
    read: () => lines.splice(0).join('\n'),
  }
}
