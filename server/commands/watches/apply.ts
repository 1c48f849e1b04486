import type { AisleFile } from '../../../shared/watch/aisle-file.ts'
import { NewWatch, WatchChange } from '../../../shared/watch/watch.ts'
import { printable, printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import { listWatches, type WatchRow } from '../../db/watch/watches.ts'
import { changeWatch, createWatch } from '../../watch/set-up.ts'
import { CONFIG_FILE, readConfigFile } from '../config-file/read-config-file.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { inCommandWords, OPERATOR, type WatchesDeps } from './watches.ts'

export interface ApplyFlags {
  config?: string
  dryRun?: boolean
  json?: boolean
}

/** The change to a domain's watch: `changes` describes it by field. */
interface Step {
  domain: string
  does: 'create' | 'change' | 'keep'
  changes: Partial<Record<keyof WatchChange, { before: unknown; after: unknown }>>
}

/**
 * Makes the watches of the domains of `aisle.json` as it says. What it leaves out stays as it is,
 * and so do watches of other domains. Run again it changes nothing.
 */
export async function applyWatchesCommand(
  flags: ApplyFlags,
  deps: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const read = await readConfigFile(flags.config)
  if (read === null) {
    throw new CommandError(
      printable`There is no ${CONFIG_FILE} here. Name the file with --config, or write one with "domains" and "watch".`,
    )
  }
  const { file, config } = read
  const { domains = [], watch } = config
  if (domains.length === 0 || watch === undefined) {
    const missing = domains.length === 0 ? 'domains' : 'watch'
    throw new CommandError(
      printable`${file} has no "${missing}". Add it: "domains" lists your stores, and "watch" says how they are watched; {} is as usual.`,
      { code: 'invalid_config' },
    )
  }
  const { db } = deps
  const known = new Map((await listWatches(db, domains)).map((row) => [row.domain, row]))
  const steps: Step[] = []
  for (const domain of domains) {
    const wanted = settingsOf(config, domain)
    const before = known.get(domain)
    const step = stepOf(domain, wanted, before)
    steps.push(step)
    if (flags.dryRun) continue
    if (step.does === 'create') {
      const { quiet_hours, ...settings } = wanted
      const asked = {
        domain,
        ...settings,
        ...(quiet_hours !== 'none' && quiet_hours !== undefined && { quiet_hours }),
      }
      await inCommandWords(createWatch(deps, NewWatch.parse(asked), OPERATOR))
    }
    if (step.does === 'change') await inCommandWords(changeWatch(deps, domain, wanted))
  }
  if (flags.json) return terminal.print(printableJson({ dry_run: flags.dryRun ?? false, steps }))
  terminal.print(printableLines(steps.map((step) => said(step, flags.dryRun ?? false))))
}

/** The file's settings for a domain: its own before those for all. */
function settingsOf({ checks, watch }: AisleFile, domain: string): WatchChange {
  const { overrides = [], ...settings } = watch ?? {}
  const { domain: _, ...own } = overrides.find((each) => each.domain === domain) ?? { domain }
  return WatchChange.parse({ ...(checks !== undefined && { checks }), ...settings, ...own })
}

function stepOf(domain: string, wanted: WatchChange, before: WatchRow | undefined): Step {
  const changes: Step['changes'] = {}
  for (const [name, value] of Object.entries(wanted)) {
    const field = fieldOf(name)
    const after = value === 'none' ? null : value
    const was = before === undefined || field === 'paused' ? null : before[field]
    if (before !== undefined && isSame(was, after)) continue
    changes[field] = { before: was, after }
  }
  const does =
    before === undefined ? 'create' : Object.keys(changes).length === 0 ? 'keep' : 'change'
  return { domain, does, changes }
}

/** Names of settings come from their schema. */
const fieldOf = (name: string): keyof WatchChange => name as keyof WatchChange

/** Compares JSON values: lists have an order; objects may have another one in the database. */
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const DONE = { create: 'is watched now', change: 'is changed', keep: 'is as it should be' }
const WOULD = { create: 'would be watched', change: 'would be changed', keep: DONE.keep }

function said({ domain, does, changes }: Step, isDry: boolean) {
  const what = Object.entries(changes).map(([field, { before, after }]) =>
    does === 'create' ? `${field} ${shown(after)}` : `${field} ${shown(before)} → ${shown(after)}`,
  )
  const list = what.length === 0 ? '.' : `: ${what.join(', ')}.`
  return printable`${domain} ${(isDry ? WOULD : DONE)[does]}${list}`
}

const shown = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
