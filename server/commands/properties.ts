import { LOOKBACK_DAYS, type Property } from '../../shared/attribution/property.ts'
import { pastedDomain } from '../../shared/web/address/domain.ts'
import { isLoopback } from '../../shared/web/address/loopback.ts'
import { readCommaList } from '../../shared/web/text/comma-list.ts'
import { counted } from '../../shared/web/text/english-count.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../shared/web/text/printable.ts'
import {
  columnsOf,
  createProperty,
  describeProperty,
  NewProperty,
  PropertyChange,
} from '../attribution/properties.ts'
import type { SnippetAsset } from '../attribution/snippet/asset.ts'
import { listProperties, updateProperty } from '../db/attribution/properties.ts'
import type { Db } from '../db/connect.ts'
import { inRequestWords } from '../http/validation.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrongFlags } from './terminal/wrong-flags.ts'

interface CreatePropertyFlags {
  domain: string
  origins?: string
  currency?: string
  timeZone?: string
  lookbackDays?: string
  json?: boolean
}

export interface PropertyDeps {
  db: Db
  baseUrl: string
  snippet: SnippetAsset
}

export async function createPropertyCommand(
  flags: CreatePropertyFlags,
  { db, baseUrl, snippet }: PropertyDeps,
  terminal: Terminal,
): Promise<void> {
  const asked = {
    domain: pastedDomain(flags.domain),
    currency: flags.currency,
    time_zone: flags.timeZone,
    lookback_days: daysOf(flags),
    ...(flags.origins !== undefined && { origins: readCommaList(flags.origins) }),
  }
  const request = NewProperty.safeParse(asked, { error: inRequestWords })
  if (!request.success) throw wrongFlags(request.error, asked)
  const created = await createProperty(db, request.data, new Date())
  const property = describeProperty(created, snippet, baseUrl)
  terminal.print(flags.json ? printableJson(property) : describe(property))
  warnOfLoopback(baseUrl, terminal)
}

export async function listPropertiesCommand(
  flags: { json?: boolean },
  { db, baseUrl, snippet }: PropertyDeps,
  terminal: Terminal,
): Promise<void> {
  const listed = await listProperties(db, ['*'])
  const properties = listed.map((each) => describeProperty(each, snippet, baseUrl))
  warnOfLoopback(baseUrl, terminal)
  if (flags.json) return terminal.print(printableJson(properties))
  terminal.print(
    properties.length === 0
      ? printable`No properties yet. Create one with: aisle properties create --domain shop.example`
      : printableLines(properties.map(summarise)),
  )
}

/** `none` removes the currency. Counted days stay in the earlier zone. */
export async function setPropertyCommand(
  id: string,
  flags: { currency?: string; timeZone?: string; lookbackDays?: string; json?: boolean },
  { db }: Pick<PropertyDeps, 'db'>,
  terminal: Terminal,
): Promise<void> {
  const asked = {
    currency: flags.currency,
    time_zone: flags.timeZone,
    lookback_days: daysOf(flags),
  }
  if (Object.values(asked).every((value) => value === undefined)) {
    throw new CommandError(printable`Give --currency, --time-zone or --lookback-days.`)
  }
  const change = PropertyChange.safeParse(asked, { error: inRequestWords })
  if (!change.success) throw wrongFlags(change.error, asked)
  const changed = await updateProperty(db, id, ['*'], columnsOf(change.data))
  if (changed === null) {
    throw new CommandError(printable`No property ${id}. List them with: aisle properties list`)
  }
  const { currency, time_zone } = changed
  const lookback_days = changed.lookback_days ?? LOOKBACK_DAYS
  terminal.print(
    flags.json
      ? printableJson({ id, currency, time_zone: time_zone ?? 'UTC', lookback_days })
      : printable`${id}: a value without a currency counts in ${currency ?? 'the currency of most orders so far'}. Its days are those of ${time_zone ?? 'UTC'}. An order counts for ${counted(lookback_days, 'day')} after its visit.`,
  )
}

const daysOf = ({ lookbackDays }: { lookbackDays?: string }): number | undefined =>
  lookbackDays === undefined ? undefined : Number(lookbackDays)

/** Other machines must be able to load the tag. */
function warnOfLoopback(baseUrl: string, terminal: Terminal): void {
  if (!isLoopback(baseUrl)) return
  terminal.remark(
    printable`The tag loads its script from ${baseUrl}, which only this machine reaches. For pages of a store, set BASE_URL to the public address of this service.`,
  )
}

const describe = ({
  id,
  domain,
  origins,
  tag,
  pinned_tag,
}: Property): Printable => printable`${id}  ${domain}

It accepts sessions from ${origins.join(', ')}. Put this into the <head> of every page:

  ${tag}

Or this tag, which is pinned to the current version and checked by its hash:

  ${pinned_tag}`

const summarise = ({ id, domain, origins, currency, tag, last_event_at }: Property): Printable =>
  printable`${id}  ${domain}  from ${origins.join(', ')}; ${currency === null ? '' : `values in ${currency}; `}last event ${last_event_at ?? 'never'}\n  ${tag}`
