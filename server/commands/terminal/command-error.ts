import type { Printable } from '../../../shared/web/text/printable.ts'
import type { ErrorLine } from '../formats/report.ts'

/** An error that the person at the terminal can fix; its message says how. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly printable: Printable
  /** For programs that read the error in a format. */
  readonly code: string
  /** The errors of a file by line. */
  readonly details: readonly ErrorLine[]

  constructor(
    text: Printable,
    { code = 'invalid_argument', details = [] }: { code?: string; details?: ErrorLine[] } = {},
  ) {
    super(String(text))
    this.printable = text
    this.code = code
    this.details = details
  }
}
