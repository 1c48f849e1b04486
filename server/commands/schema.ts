import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../shared/web/text/printable.ts'
import type { Migration } from '../db/schema/migrations.ts'
import type { Schema } from '../db/schema/schema.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Prints what is applied, pending and unknown. Returns 1 if this release does not work with it. */
export async function statusCommand(
  flags: { json?: boolean },
  schema: Schema,
  terminal: Terminal,
): Promise<number> {
  const { applied, pending, unknown, fault } = await schema.read()
  const fits = fault === null
  if (flags.json) {
    const result = {
      fits,
      fault,
      applied: applied.map(({ tag }) => tag),
      pending: pending.map(({ tag, kind }) => ({ migration: tag, kind })),
      unknown: unknown.map(({ tag, when }) => ({ migration: tag, generated_at: isoOf(when) })),
    }
    terminal.print(printableJson(result))
    return fits ? 0 : 1
  }
  const newest = applied.at(-1)
  terminal.print(
    printableLines([
      `Applied   ${applied.length}${newest ? `, up to ${newest.tag}` : ''}`,
      ...pending.map(({ tag, kind }) => `Pending   ${tag}: ${MEANS[kind]}`),
      ...unknown.map(
        ({ tag, when }) => `Unknown   ${tag}, of ${isoOf(when)}: a newer release applied it`,
      ),
      fault ?? 'This release works with the database.',
    ]),
  )
  return fits ? 0 : 1
}

const MEANS: Record<Migration['kind'], string> = {
  expand: 'this release needs it',
  index: 'an index, which makes this release faster',
  contract: 'it removes what this release does not use',
}

/** Applies what is pending. Returns 1 if this release does not work with the result. */
export async function migrateCommand(
  flags: { wait: string; json?: boolean },
  schema: Schema,
  terminal: Terminal,
): Promise<number> {
  const minutes = Number(flags.wait)
  if (!(minutes >= 0)) {
    throw new CommandError(printable`--wait is "${flags.wait}". Give a number of minutes.`)
  }
  const applied = await schema.migrate({
    patienceMs: minutes * 60_000,
    onWait: (why) => terminal.remark(printable`${why}`),
  })
  const fault = await schema.fault()
  const tags = applied.map(({ tag }) => tag)
  terminal.print(
    flags.json
      ? printableJson({ applied: tags, fits: fault === null, fault })
      : explain(tags, fault),
  )
  return fault === null ? 0 : 1
}

function explain(tags: readonly string[], fault: string | null): Printable {
  const done = tags.length === 0 ? 'Nothing was pending.' : `Applied ${tags.join(', ')}.`
  return printableLines([done, ...(fault === null ? [] : [fault])])
}

const isoOf = (when: number): string => new Date(when).toISOString()
