import { QuietHours } from '../../../shared/watch/quiet-hours.ts'
import { NewWatch, type Watch, WatchChange } from '../../../shared/watch/watch.ts'
import { pastedDomain } from '../../../shared/web/address/domain.ts'
import { readCommaList } from '../../../shared/web/text/comma-list.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import { listWatches, type WatchRow } from '../../db/watch/watches.ts'
import { ApiError } from '../../http/api-error.ts'
import { inRequestWords } from '../../http/validation.ts'
import { changeWatch, checkNow, createWatch, endWatch, shownWatch } from '../../watch/set-up.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrongFlags } from '../terminal/wrong-flags.ts'

export interface WatchesDeps {
  db: Db
  now: () => Date
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string
}

/** Anyone with access to the database may read everything in it. */
export const OPERATOR = { keyId: 'operator', mayReadReport: true }

/** The flags of a watch. What is left out stays, or has the default in a new one. */
export interface WatchFlags {
  period?: string
  severity?: string
  checks?: string
  walk?: boolean
  quietHours?: string
  timeZone?: string
  report?: boolean
  tags?: string
  json?: boolean
}

export async function listWatchesCommand(
  flags: { json?: boolean },
  { db, baseUrl }: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const watches = (await listWatches(db, ['*'])).map((row) => shownWatch(row, baseUrl))
  if (flags.json) return terminal.print(printableJson(watches))
  terminal.print(
    watches.length === 0
      ? printable`Nothing is watched yet. Watch a domain with: aisle watches add shop.example`
      : printableLines(watches.map(summarise)),
  )
}

export async function addWatchCommand(
  domain: string,
  flags: WatchFlags,
  deps: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const asked = { domain: pastedDomain(domain), ...settingsOf(flags, null) }
  const request = NewWatch.safeParse(asked, { error: inRequestWords })
  if (!request.success) throw wrongFlags(request.error, asked, FLAGS)
  show(await inCommandWords(createWatch(deps, request.data, OPERATOR)), flags, deps, terminal)
}

export async function changeWatchCommand(
  domain: string,
  flags: WatchFlags,
  deps: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const settings = settingsOf(flags, 'none')
  if (Object.keys(settings).length === 0) {
    throw new CommandError(printable`Say what to change, such as --period daily.`)
  }
  const change = WatchChange.safeParse(settings, { error: inRequestWords })
  if (!change.success) throw wrongFlags(change.error, settings, FLAGS)
  const changed = changeWatch(deps, pastedDomain(domain), change.data)
  show(await inCommandWords(changed), flags, deps, terminal)
}

/** Pauses a watch, or resumes it. */
export async function pauseWatchCommand(
  domain: string,
  paused: boolean,
  flags: { json?: boolean },
  deps: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const changed = changeWatch(deps, pastedDomain(domain), { paused })
  show(await inCommandWords(changed), flags, deps, terminal)
}

/** Has the service audit a domain, as soon as a slot is free. */
export async function lookCommand(
  domain: string,
  flags: { json?: boolean },
  deps: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const row = await inCommandWords(checkNow(deps, pastedDomain(domain)))
  if (flags.json) return terminal.print(printableJson(shownWatch(row, deps.baseUrl)))
  terminal.print(
    printable`${row.domain} is audited as soon as the service has a free slot. See: aisle incidents ${row.domain}`,
  )
}

export async function deleteWatchCommand(
  domain: string,
  flags: { json?: boolean },
  deps: WatchesDeps,
  terminal: Terminal,
): Promise<void> {
  const name = pastedDomain(domain)
  await inCommandWords(endWatch(deps, name))
  terminal.print(
    flags.json
      ? printableJson({ domain: name, deleted: true })
      : printable`${name} is no longer watched. Its channels and its public status page are deleted; its incidents are closed, and stay.`,
  )
}

function show(
  row: WatchRow,
  { json }: { json?: boolean },
  { baseUrl }: WatchesDeps,
  terminal: Terminal,
): void {
  const watch = shownWatch(row, baseUrl)
  terminal.print(json ? printableJson(watch) : summarise(watch))
}

/** `clear` removes the quiet hours. */
function settingsOf(flags: WatchFlags, clear: 'none' | null): Record<string, unknown> {
  const { period, severity, checks, walk, quietHours, timeZone, report, tags } = flags
  const isCleared = quietHours === 'none'
  const given = {
    period,
    severity,
    checks: checks === undefined ? undefined : readCommaList(checks),
    walk,
    quiet_hours:
      quietHours === undefined || (isCleared && clear === null)
        ? undefined
        : isCleared
          ? clear
          : quietHoursOf(quietHours),
    time_zone: timeZone,
    with_report: report,
    tags: tags === undefined ? undefined : readCommaList(tags),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function quietHoursOf(text: string): QuietHours {
  const [from, to, ...more] = text.split('-').map((part) => part.trim())
  const read = QuietHours.safeParse({ from, to })
  if (read.success && more.length === 0) return read.data
  throw new CommandError(
    printable`--quiet-hours takes a beginning and an end, such as 22:00-07:00, not "${text}".`,
  )
}

/** The flags whose name differs from the field's. */
const FLAGS = { with_report: '--report', domain: 'domain' }

/** The API's message, with the command instead of the request. */
export async function inCommandWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [said = ''] = error.message.split(/(?<=\.) /)
    const help = HELP[error.code] ?? ''
    throw new CommandError(printable`${said}${help === '' ? '' : ` ${help}`}`, { code: error.code })
  }
}

const HELP: Readonly<Record<string, string>> = {
  watch_not_found: 'List what is watched with: aisle watches list',
  watch_exists: 'Change its watch with: aisle watches change',
  watch_paused: 'Go on with: aisle watches resume',
}

const PERIODS = {
  hourly: 'every hour',
  six_hourly: 'every six hours',
  daily: 'every day',
  weekly: 'every week',
} as const satisfies Record<Watch['period'], string>

function summarise(watch: Watch): Printable {
  const { domain, score, grade, outcome, why, looked_at, next_look_at, tags } = watch
  const last =
    looked_at === null
      ? 'not audited yet'
      : outcome === 'seen'
        ? `${score ?? '–'} ${grade ?? ''} at ${looked_at}`
        : `last audit saw nothing at ${looked_at}: ${why ?? 'unknown'}`
  const next = next_look_at === null ? 'paused' : `next at ${next_look_at}`
  const quiet = watch.quiet_hours
  const settings = [
    PERIODS[watch.period],
    `alerts from ${watch.severity} on`,
    watch.walk && 'with walks',
    quiet !== null && `quiet from ${quiet.from} to ${quiet.to}`,
    watch.time_zone,
    !watch.with_report && 'without the report',
    tags.length > 0 && `tags ${tags.join(', ')}`,
  ].filter((part) => part !== false)
  return printable`${domain}  ${last}; ${next}\n  ${settings.join('; ')}`
}
