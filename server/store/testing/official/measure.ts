import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { acpOrderRule, acpRule } from './acp.ts'
import type { Exchange, Rule } from './exchange.ts'
import { type OfficialSchemas, readSchemas } from './schemas.ts'
import { ucpOrderRule, ucpRule } from './ucp.ts'

export interface Measure {
  /** Rejects with the path of each fault of a request that was accepted, or of an answer. */
  exchange: (exchange: Exchange) => Promise<void>
  /** The same of a webhook's body. */
  webhook: (body: unknown) => Promise<void>
}

/**
 * Judges what tests exchange by the published JSON Schemas, which are not ours to keep. The folder
 * has `ucp/<version>/schemas/`, `acp/<version>/json-schema/` and, for webhooks,
 * `acp/2026-01-30/openapi/`; a version without a folder is an error, so that nothing passes unseen.
 * Null where no folder is given.
 */
export function officialMeasure(folder: string | undefined): Measure | null {
  if (!folder) return null
  const read = new Map<string, Promise<OfficialSchemas>>()
  const schemasOf = (name: string) => {
    const known = read.get(name) ?? readSchemas(folderOf(folder, name))
    read.set(name, known)
    return known
  }
  const judge = async (rule: Rule | null) => {
    if (rule === null) return
    const schemas = await schemasOf(rule.folder)
    const faults = rule.demands(schemas).flatMap(({ what, places, shape, value }) => {
      if (places.length === 0) throw new Error(`${rule.folder} has no schema for ${what}.`)
      return schemas.faultsOf(places, shape, value).map((fault) => `${what}: ${fault}`)
    })
    if (faults.length > 0) throw new Error([`By ${rule.folder}:`, ...faults].join('\n  '))
  }
  return {
    exchange: (exchange) => judge(ucpRule(exchange) ?? acpRule(exchange)),
    webhook: (body) => judge(ucpOrderRule(body) ?? acpOrderRule(body)),
  }
}

function folderOf(folder: string, name: string): string {
  const found = join(folder, name)
  if (existsSync(found)) return found
  throw new Error(`OFFICIAL_SCHEMAS has no folder ${name}. Put the schemas of that version there.`)
}

/** A body as JSON; undefined when it is not. */
export function parsedJson(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}
