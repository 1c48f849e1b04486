import { printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import { FAULTS } from '../../store/faults/faults.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Lists the reference store's faults: the host `<fault>.example` has that one alone. In JSON the
 * gap of a fault without a rule is null.
 */
export function storeFaultsCommand(flags: { json?: boolean }, terminal: Terminal): void {
  const faults = FAULTS.map(({ fault, gap }) => ({ fault, gap }))
  terminal.print(
    flags.json
      ? printableJson(faults)
      : printableLines(
          faults.map(({ fault, gap }) => `${fault.padEnd(40)}${gap ?? '(not judged yet)'}`),
        ),
  )
}
