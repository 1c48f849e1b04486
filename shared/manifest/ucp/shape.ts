import type * as z from 'zod'
import type { UcpVersion } from '../../protocols/ucp/versions.ts'
import { field, isRecord } from '../../web/json/json.ts'
import { addSchemaFindings, type Findings, mustBe, type Path } from './findings.ts'
import { FIRST_SHAPE, PROFILE_SHAPES, type ProfileShape } from './schemas.ts'

/**
 * Lists every place where a business profile departs from the official JSON Schema of its version.
 * Lists and maps are checked entry by entry, so that the work stops at the limit of errors;
 * otherwise the schemas would read a hostile document to its end.
 */
export function inspectShape(document: unknown, version: UcpVersion, findings: Findings): void {
  const shape = PROFILE_SHAPES.get(version)
  if (shape === undefined) inspectFirst(document, findings)
  else inspectRegistries(document, shape, findings)
}

/** The first version, whose layout differs from that of all later ones. */
function inspectFirst(document: unknown, findings: Findings): void {
  const { service, capability, handler, key } = FIRST_SHAPE
  const { eachOfList, eachOfMap } = walk(document, findings)
  const payment = field(document, 'payment')
  eachOfMap(['ucp', 'services'], 'required', (each, path) =>
    addSchemaFindings(service, each, path, findings),
  )
  eachOfList(['ucp', 'capabilities'], 'required', capability)
  if (payment !== undefined && !isRecord(payment)) {
    findings.add(['payment'], mustBe('an object', payment))
  }
  eachOfList(['payment', 'handlers'], 'optional', handler)
  eachOfList(['signing_keys'], 'optional', key)
}

/** Since 2026-01-23: maps from names to lists of entries. */
function inspectRegistries(document: unknown, shape: ProfileShape, findings: Findings): void {
  const { eachOfList, eachOfMap } = walk(document, findings)
  const registry = (key: string, presence: Presence, entry: z.ZodType) =>
    eachOfMap(['ucp', key], presence, (_entries, path, name) => {
      addSchemaFindings(shape.name, name, path, findings)
      eachOfList(path, 'required', entry)
    })
  addSchemaFindings(shape.envelope, field(document, 'ucp'), ['ucp'], findings)
  registry('services', 'required', shape.service)
  registry('capabilities', 'optional', shape.capability)
  registry('payment_handlers', 'required', shape.handler)
  eachOfList([shape.keys], 'optional', shape.key)
  if (shape.supportedVersions === null) return
  const { version, profile } = shape.supportedVersions
  eachOfMap(['ucp', 'supported_versions'], 'optional', (url, path, name) => {
    addSchemaFindings(version, name, path, findings)
    addSchemaFindings(profile, url, path, findings)
  })
}

type Presence = 'required' | 'optional'

/** Visits lists and maps of the document by their paths, and reports where one is missing. */
function walk(document: unknown, findings: Findings) {
  const at = (path: Path) =>
    path.reduce<unknown>((found, key) => field(found, String(key)), document)

  function eachOfList(path: Path, presence: Presence, entry: z.ZodType): void {
    const entries = at(path)
    if (entries === undefined && presence === 'optional') return
    if (!Array.isArray(entries)) {
      findings.add(path, mustBe('a list', entries))
      return
    }
    for (const [index, value] of entries.entries()) {
      if (findings.full()) return
      addSchemaFindings(entry, value, [...path, index], findings)
    }
  }

  function eachOfMap(
    path: Path,
    presence: Presence,
    visit: (value: unknown, path: Path, name: string) => void,
  ): void {
    const map = at(path)
    if (map === undefined && presence === 'optional') return
    if (!isRecord(map)) {
      findings.add(path, mustBe('an object', map))
      return
    }
    for (const name of Object.keys(map)) {
      if (findings.full()) return
      visit(map[name], [...path, name], name)
    }
  }

  return { eachOfList, eachOfMap }
}
