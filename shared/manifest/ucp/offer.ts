import { field, isRecord } from '../../web/json.ts'
import type { UcpVersion } from '../dialect.ts'
import type { Path } from './findings.ts'

/** One name in a registry, as far as it can be read. Nothing in it has been judged. */
export interface ProfileEntry {
  name: string
  path: Path
  schema: { path: Path; url: string } | null
}
export interface ServiceEntry extends ProfileEntry {
  transport: string
  endpoint: unknown
}
export interface CapabilityEntry extends ProfileEntry {
  /** The capabilities that this one extends; null for a root. */
  parents: string[] | null
}

export interface ProfileOffer {
  services: ServiceEntry[]
  capabilities: CapabilityEntry[]
  handlers: ProfileEntry[]
}

/** What a profile offers, the same for every version, faulty entries left out where unreadable. */
export function readProfileOffer(document: unknown, version: UcpVersion): ProfileOffer {
  const ucp = field(document, 'ucp')
  if (version !== '2026-01-11') {
    return {
      services: entriesOf(ucp, 'services').flatMap(readService),
      capabilities: entriesOf(ucp, 'capabilities').map(readCapability),
      handlers: entriesOf(ucp, 'payment_handlers').map(readEntry),
    }
  }
  return {
    services: namesOf(field(ucp, 'services')).flatMap(readTransports),
    capabilities: listed(field(ucp, 'capabilities'), ['ucp', 'capabilities']).map(readCapability),
    // 2026-01-11 does not bind a handler's schemas to its name: instruments may have any owner.
    handlers: listed(field(field(document, 'payment'), 'handlers'), ['payment', 'handlers']).map(
      (handler) => ({ ...readEntry(handler), schema: null }),
    ),
  }
}

interface Raw {
  name: string
  path: Path
  value: Record<string, unknown>
}

const namesOf = (map: unknown): [string, unknown][] => (isRecord(map) ? Object.entries(map) : [])

const entriesOf = (ucp: unknown, registry: string): Raw[] =>
  namesOf(field(ucp, registry)).flatMap(([name, entries]) =>
    listOf(entries).flatMap((value, index) =>
      isRecord(value) ? [{ name, path: ['ucp', registry, name, index], value }] : [],
    ),
  )

const listed = (list: unknown, path: Path): Raw[] =>
  listOf(list).flatMap((value, index) => {
    const name = field(value, 'name')
    return isRecord(value) && typeof name === 'string'
      ? [{ name, path: [...path, index], value }]
      : []
  })

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function readEntry({ name, path, value }: Raw): ProfileEntry {
  const url = field(value, 'schema')
  return {
    name,
    path,
    schema: typeof url === 'string' ? { path: [...path, 'schema'], url } : null,
  }
}

function readService(raw: Raw): ServiceEntry[] {
  const transport = field(raw.value, 'transport')
  const endpoint = field(raw.value, 'endpoint')
  return typeof transport === 'string' ? [{ ...readEntry(raw), transport, endpoint }] : []
}

function readTransports([name, service]: [string, unknown]): ServiceEntry[] {
  return ['rest', 'mcp', 'a2a', 'embedded'].flatMap((transport) => {
    const value = field(service, transport)
    if (!isRecord(value)) return []
    const raw = { name, path: ['ucp', 'services', name, transport], value }
    return [{ ...readEntry(raw), transport, endpoint: field(value, 'endpoint') }]
  })
}

function readCapability(raw: Raw): CapabilityEntry {
  const parents = field(raw.value, 'extends')
  return {
    ...readEntry(raw),
    parents:
      parents === undefined
        ? null
        : [parents].flat().filter((parent): parent is string => typeof parent === 'string'),
  }
}
