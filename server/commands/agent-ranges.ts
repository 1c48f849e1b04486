import { printableJson, printableLines } from '../../shared/web/text/printable.ts'
import {
  type HeldList,
  listRanges,
  type RenewedList,
  renewRanges,
} from '../attribution/agents/renew-ranges.ts'
import type { Terminal } from './terminal/terminal.ts'

interface Flags {
  json?: boolean
}
type Deps = Parameters<typeof renewRanges>[0]

/** Says which lists of addresses are held, and of when. Asks nobody. */
export async function listRangesCommand(
  flags: Flags,
  { db }: Pick<Deps, 'db'>,
  terminal: Terminal,
): Promise<void> {
  const lists = await listRanges(db)
  terminal.print(flags.json ? printableJson(lists) : printableLines(lists.map(describe)))
}

/** Reads the lists again. The exit code: 1 if one of them could not be read. */
export async function renewRangesCommand(
  flags: Flags,
  deps: Deps,
  terminal: Terminal,
): Promise<number> {
  const lists = await renewRanges(deps)
  terminal.print(
    flags.json
      ? printableJson(lists)
      : printableLines(lists.map((list) => `${describe(list)}  ${outcomeOf(list)}`)),
  )
  return lists.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}

const describe = ({ list, operator, since, ranges, copies }: HeldList): string =>
  [
    list.padEnd(22),
    operator.padEnd(12),
    since === null ? 'none is held' : `${ranges} ranges of ${since}`,
    ...(copies > 1 ? [`${copies} copies`] : []),
  ].join('  ')

const outcomeOf = ({ outcome, problem, url }: RenewedList): string =>
  ({
    renewed: 'renewed',
    unchanged: 'unchanged',
    failed: `not renewed: ${problem} (${url})`,
    by_hand: `is a page, which no program reads: ${url}`,
  })[outcome]
