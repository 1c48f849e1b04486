import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { field, isRecord, listIn } from '../../web/json/json.ts'
import type { Path } from './findings.ts'
import { layoutOf } from './overlooked.ts'

/** One name in a registry, as far as it can be read; not judged. */
export interface ProfileEntry {
  name: string
  path: Path
  schema: { path: Path; url: string } | null
  /** Documentation for people. */
  spec: { path: Path; url: string } | null
  version: unknown
}

/** A service over one transport; a service with several has several entries. */
export interface ServiceEntry extends ProfileEntry {
  transport: string
  endpoint: unknown
}
export interface CapabilityEntry extends ProfileEntry {
  /** The capabilities that this one extends; null for a root. */
  parents: string[] | null
}

/** A payment method; checkouts name it by its id. */
export interface HandlerEntry extends ProfileEntry {
  id: unknown
  config: unknown
}

/** What a profile offers, read the same from every version's layout. */
export interface ProfileOffer {
  services: ServiceEntry[]
  capabilities: CapabilityEntry[]
  handlers: HandlerEntry[]
}

/**
 * What a profile offers. Entries that cannot be read at all are left out; the schema reports them.
 * 2026-01-11 has objects where later versions have lists (UCP overview of each version).
 */
export function readProfileOffer(document: unknown, version: UcpVersion): ProfileOffer {
  const ucp = field(document, 'ucp')
  // Since 2026-01-23 all registries have the same form.
  if (UCP.of(layoutOf(document, version)).registries === 'maps') {
    return {
      services: entriesOf(ucp, 'services').flatMap(readService),
      capabilities: entriesOf(ucp, 'capabilities').map(readCapability),
      handlers: entriesOf(ucp, 'payment_handlers').map(readHandler),
    }
  }
  return {
    services: namesOf(field(ucp, 'services')).flatMap(readTransports),
    capabilities: listed(field(ucp, 'capabilities'), ['ucp', 'capabilities']).map(readCapability),
    // 2026-01-11 does not bind a handler's schemas to its name: instruments may have any owner.
    handlers: listed(field(field(document, 'payment'), 'handlers'), ['payment', 'handlers']).map(
      (handler) => ({ ...readHandler(handler), schema: null }),
    ),
  }
}

/** An entry of the document, unchanged, with its name. */
interface Raw {
  name: string
  path: Path
  value: Record<string, unknown>
}

const namesOf = (map: unknown): [string, unknown][] => (isRecord(map) ? Object.entries(map) : [])

/** From 2026-01-23 on: a map from names to lists of entries. */
const entriesOf = (ucp: unknown, registry: string): Raw[] =>
  namesOf(field(ucp, registry)).flatMap(([name, entries]) =>
    listIn(entries).flatMap((value, index) =>
      isRecord(value) ? [{ name, path: ['ucp', registry, name, index], value }] : [],
    ),
  )

/** In 2026-01-11: a list of entries that hold their names. */
const listed = (list: unknown, path: Path): Raw[] =>
  listIn(list).flatMap((value, index) => {
    const name = field(value, 'name')
    return isRecord(value) && typeof name === 'string'
      ? [{ name, path: [...path, index], value }]
      : []
  })

function readEntry({ name, path, value }: Raw): ProfileEntry {
  const addressIn = (key: 'schema' | 'spec') => {
    const url = field(value, key)
    return typeof url === 'string' ? { path: [...path, key], url } : null
  }
  return {
    name,
    path,
    schema: addressIn('schema'),
    spec: addressIn('spec'),
    version: field(value, 'version'),
  }
}

const readHandler = (raw: Raw): HandlerEntry => ({
  ...readEntry(raw),
  id: field(raw.value, 'id'),
  config: field(raw.value, 'config'),
})

/** Agents cannot use a service without a transport. */
function readService(raw: Raw): ServiceEntry[] {
  const transport = field(raw.value, 'transport')
  const endpoint = field(raw.value, 'endpoint')
  return typeof transport === 'string' ? [{ ...readEntry(raw), transport, endpoint }] : []
}

/** In 2026-01-11: a service is an object with a key for each transport. */
function readTransports([name, service]: [string, unknown]): ServiceEntry[] {
  return ['rest', 'mcp', 'a2a', 'embedded'].flatMap((transport) => {
    const value = field(service, transport)
    if (!isRecord(value)) return []
    const raw = { name, path: ['ucp', 'services', name, transport], value }
    return [{ ...readEntry(raw), transport, endpoint: field(value, 'endpoint') }]
  })
}

/**
 * `extends` is one name, or from 2026-04-08 on a list of them. Null means none, as the official
 * SDKs read it.
 */
function readCapability(raw: Raw): CapabilityEntry {
  const parents = field(raw.value, 'extends')
  return {
    ...readEntry(raw),
    parents:
      parents === undefined || parents === null
        ? null
        : [parents].flat().filter((parent): parent is string => typeof parent === 'string'),
  }
}
