/** An error that the person at the terminal can fix; its message says how. */
export class CommandError extends Error {
  override name = 'CommandError'
}
