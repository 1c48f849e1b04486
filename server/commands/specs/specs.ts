import { writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { dayOf } from '../../../shared/web/moment.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../../shared/web/text/printable.ts'
import type { Fetcher } from '../../audit/probe/fetch/fetch.ts'
import { BODY_CAPS } from '../../audit/probe/fetch/request.ts'
import { CommandError } from '../terminal/command-error.ts'
import { readTextFile } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { compareSpec, OLD_AFTER_DAYS, type SpecSeen } from './compare.ts'
import { HELD, HeldSpec } from './held.ts'

export interface SpecsFlags {
  json?: boolean
  offline?: boolean
  held?: string
  record?: string
}

/**
 * Compares the published versions, schemas and vendors' pages that Aisle leans on with what it
 * holds. Exit code: 0 nothing moved, 1 something did, 2 no address could be reached.
 */
export async function specsCommand(
  flags: SpecsFlags,
  { fetcher, now }: { fetcher: Fetcher; now: () => Date },
  terminal: Terminal,
): Promise<number> {
  const held = flags.held === undefined ? HELD : await readHeld(flags.held)
  const seen = await askAll(held, flags.offline === true ? null : fetcher, now())
  if (flags.record !== undefined) {
    await writeFile(flags.record, `${JSON.stringify(recorded(held, seen, now()), null, 2)}\n`)
  }
  const of = (state: SpecSeen['state']) => seen.filter((each) => each.state === state)
  const summary = {
    held: seen.length,
    moved: of('moved').length,
    same: of('same').length,
    unreached: of('unreached').length,
    old: seen.filter(({ is_old }) => is_old).length,
  }
  terminal.print(flags.json ? printableJson({ summary, specs: seen }) : textOf(summary, seen))
  if (summary.moved > 0) return 1
  return flags.offline !== true && summary.unreached === seen.length ? 2 : 0
}

/** A list that `--record` wrote. */
async function readHeld(file: string): Promise<HeldSpec[]> {
  const text = await readTextFile(file, { maxBytes: BODY_CAPS.catalog })
  try {
    return z.array(HeldSpec).parse(JSON.parse(text))
  } catch {
    throw new CommandError(printable`${file} is not a list that aisle specs check --record wrote.`)
  }
}

async function askAll(
  held: readonly HeldSpec[],
  fetcher: Fetcher | null,
  now: Date,
): Promise<SpecSeen[]> {
  if (fetcher === null) return held.map((each) => compareSpec(each, null, now))
  const session = fetcher.open({ more: held.length })
  try {
    return await Promise.all(
      held.map(async (each) =>
        compareSpec(
          each,
          await session.request({ url: each.url, maxBytes: BODY_CAPS.catalog }),
          now,
        ),
      ),
    )
  } finally {
    await session.close()
  }
}

/** What is there now, as the list of a later comparison; what was not reached stays as it was. */
const recorded = (held: readonly HeldSpec[], seen: readonly SpecSeen[], now: Date): HeldSpec[] =>
  held.map((each, at) => {
    const digest = seen[at]?.digest ?? null
    return digest === null ? each : { ...each, digest, read: dayOf(now.getTime()) }
  })

function textOf(
  { held, moved, same, unreached, old }: Record<string, number>,
  seen: readonly SpecSeen[],
): Printable {
  const listed = (title: string, specs: readonly SpecSeen[]) =>
    specs.length === 0
      ? []
      : ['', title, ...specs.map((each) => printable`  ${each.url}  ${each.detail ?? each.read}`)]
  const days = seen.map(({ read }) => read).sort()
  return printableLines([
    `Addresses held: ${held}, read from ${days[0]} to ${days.at(-1)}.`,
    `${moved} moved, ${same} as held, ${unreached} not reached; ${old} read more than ${OLD_AFTER_DAYS} days ago.`,
    ...listed(
      'Moved',
      seen.filter(({ state }) => state === 'moved'),
    ),
    ...listed(
      'Not reached',
      seen.filter(({ state }) => state === 'unreached'),
    ),
    ...listed(
      `Read more than ${OLD_AFTER_DAYS} days ago`,
      seen.filter(({ is_old }) => is_old).map((each) => ({ ...each, detail: null })),
    ),
  ])
}
