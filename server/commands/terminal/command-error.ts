/** Something that the person at the terminal can mend; its message says how. */
export class CommandError extends Error {
  override name = 'CommandError'
}
