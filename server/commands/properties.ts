import type { Property } from '../../shared/attribution/property.ts'
import { createProperty, describeProperty, NewProperty } from '../attribution/properties.ts'
import type { SnippetAsset } from '../attribution/snippet/asset.ts'
import type { Db } from '../db/connect.ts'
import { listProperties } from '../db/properties.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface CreatePropertyFlags {
  domain: string
  origins?: string
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
  const request = NewProperty.safeParse({
    domain: flags.domain,
    ...(flags.origins !== undefined && {
      origins: flags.origins.split(',').map((origin) => origin.trim()),
    }),
  })
  if (!request.success) {
    throw new CommandError(
      request.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'),
    )
  }
  const created = await createProperty(db, request.data, new Date())
  const property = describeProperty(created, snippet, baseUrl)
  terminal.print(flags.json ? JSON.stringify(property, null, 2) : explain(property))
}

export async function listPropertiesCommand(
  flags: { json?: boolean },
  { db, baseUrl, snippet }: PropertyDeps,
  terminal: Terminal,
): Promise<void> {
  const listed = await listProperties(db, ['*'])
  const properties = listed.map((each) => describeProperty(each, snippet, baseUrl))
  if (flags.json) return terminal.print(JSON.stringify(properties, null, 2))
  terminal.print(
    properties.length === 0
      ? 'No properties yet. Create one with: aisle properties create --domain shop.example'
      : properties.map(summarise).join('\n'),
  )
}

const explain = ({ id, domain, origins, tag, pinned_tag }: Property) => `${id}  ${domain}

It accepts sessions from ${origins.join(', ')}. Put this into the <head> of every page:

  ${tag}

Or this tag, which is pinned to the current version and checked by its hash:

  ${pinned_tag}`

const summarise = ({ id, domain, origins, tag, last_event_at }: Property) =>
  `${id}  ${domain}  from ${origins.join(', ')}; last event ${last_event_at ?? 'never'}\n  ${tag}`
