import type { Printable } from '../../../shared/web/printable.ts'

/** An error that the person at the terminal can fix; its message says how. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly printable: Printable

  constructor(text: Printable) {
    super(String(text))
    this.printable = text
  }
}
