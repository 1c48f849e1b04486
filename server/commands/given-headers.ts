import { printable } from '../../shared/web/text/printable.ts'
import type { OwnerAccess } from '../access/site-access.ts'
import { endOfHeaders, NewSiteAccess, readHeaderLines } from '../access/site-access-input.ts'
import { CommandError } from './terminal/command-error.ts'

/**
 * The headers of `--header`, for this domain alone; null without any. Throws a `CommandError` that
 * says what to give instead, and never repeats a value.
 */
export function readGivenHeaders(
  lines: readonly string[] | undefined,
  domain: string,
): OwnerAccess | null {
  if (lines === undefined || lines.length === 0) return null
  const read = readHeaderLines(lines)
  if ('problem' in read) throw new CommandError(printable`--header: ${read.problem}`)
  const given = NewSiteAccess.safeParse({ headers: read.headers })
  if (!given.success) {
    throw new CommandError(printable`--header: ${given.error.issues[0]?.message ?? 'unreadable'}`)
  }
  const endsAt = endOfHeaders(read.headers)
  return { domain, given: given.data, kinds: ['headers'], endsAt }
}
