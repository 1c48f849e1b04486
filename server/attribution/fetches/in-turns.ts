import { setImmediate as turn } from 'node:timers/promises'

/** Lines that are read in one go: some 50 microseconds. */
const AT_A_TIME = 20

/** The lines of a file by parts. Between two, orders that came in meanwhile are answered. */
export async function* inTurns<Line>(lines: readonly Line[]): AsyncGenerator<readonly Line[]> {
  for (let from = 0; from < lines.length; from += AT_A_TIME) {
    if (from > 0) await turn()
    yield lines.slice(from, from + AT_A_TIME)
  }
}
