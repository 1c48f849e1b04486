import * as z from 'zod'
import { pastedDomain } from '../../shared/web/address/domain.ts'
import { DAY_MS, dayOf } from '../../shared/web/moment.ts'
import { readCommaList } from '../../shared/web/text/comma-list.ts'
import { printable, printableJson, printableLines } from '../../shared/web/text/printable.ts'
import { createKey, NewKey } from '../access/make-key.ts'
import { type ApiKey, listKeys, revokeKey } from '../db/access/keys.ts'
import type { Db } from '../db/connect.ts'
import { inRequestWords } from '../http/validation.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrongFlags } from './terminal/wrong-flags.ts'

interface CreateKeyFlags {
  name: string
  scopes: string
  domains: string
  expires?: string
  json?: boolean
}

export async function createKeyCommand(
  flags: CreateKeyFlags,
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const now = new Date()
  const asked = {
    name: flags.name,
    scopes: readCommaList(flags.scopes),
    domains: readCommaList(flags.domains).map(pastedDomain),
    expires_at: readExpiry(flags.expires, now),
  }
  // A key without domains is never what was meant.
  if (asked.domains.length === 0) {
    throw new CommandError(printable`--domains names no domain. Name some, or * for all.`)
  }
  const request = NewKey.safeParse(asked, { error: inRequestWords })
  if (!request.success) throw wrongFlags(request.error, asked)
  const created = await createKey(db, request.data, now)
  terminal.print(
    flags.json
      ? printableJson(created)
      : printable`${created.key}\n\nCopy the key now: it is not shown again. ${describe(created)}`,
  )
}

export async function listKeysCommand(
  flags: { json?: boolean },
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const keys = await listKeys(db)
  if (flags.json) return terminal.print(printableJson(keys))
  terminal.print(
    keys.length === 0
      ? printable`No keys yet. Create one with: aisle keys create`
      : printableLines(keys.map(describe)),
  )
}

export async function revokeKeyCommand(
  id: string,
  flags: { json?: boolean },
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const key = await revokeKey(db, id, new Date())
  if (key === null) throw new CommandError(printable`No key has the id ${id}. See aisle keys list.`)
  terminal.print(flags.json ? printableJson(key) : printable`${describe(key)}`)
}

/** The end of a day in UTC, or null for a key that does not expire. */
function readExpiry(day: string | undefined, now: Date): Date | null {
  if (day === undefined) return null
  if (!z.iso.date().safeParse(day).success) {
    throw new CommandError(
      printable`--expires takes the year, month and day of a day that exists, such as 2027-01-31, not "${day}".`,
    )
  }
  const end = new Date(new Date(day).getTime() + DAY_MS - 1)
  if (end > now) return end
  throw new CommandError(printable`--expires: ${day} is over. Name today or a later day.`)
}

function describe(key: ApiKey): string {
  const day = (at: Date) => dayOf(at.getTime())
  const state = key.revoked_at
    ? `revoked ${day(key.revoked_at)}`
    : key.expires_at
      ? `expires ${day(key.expires_at)}`
      : 'does not expire'
  const used = key.last_used_at
    ? `last used ${day(key.last_used_at)}${key.last_used_for ? ` for ${key.last_used_for}` : ''}`
    : 'never used'
  const domains = key.domains.join(', ')
  return `${key.id}  ${key.name}  scopes ${key.scopes.join(', ')}; domains ${domains}; ${state}; ${used}`
}
