import { isRecord, listIn } from '../../web/json/json.ts'
import type { PageFacts } from './page-facts.ts'

const MAX_DEPTH = 5
const QUERY = /^(?:q|query|search|search_?term|keywords?|text|term)$/i
const ID = /^(?:id|product_?id|handle|slug|sku|item_?id)$/i
const IDS = /^(?:ids|product_?ids|skus|handles)$/i
/** What holds the rest in tools of UCP. */
const HOLDER = /^(?:catalog|input|params|filters?)$/i

/**
 * What a call for the page's product sends, by the tool's own schema; null if the schema demands
 * something that the page does not say. Only what is known or demanded is filled in.
 */
export function inputFor(
  schema: unknown,
  facts: Pick<PageFacts, 'name' | 'ids'>,
): Record<string, unknown> | null {
  const input = valueFor('', schema, facts, 0)
  return isRecord(input) ? input : null
}

function valueFor(
  name: string,
  schema: unknown,
  facts: Pick<PageFacts, 'name' | 'ids'>,
  depth: number,
): unknown {
  if (!isRecord(schema) || depth > MAX_DEPTH) return undefined
  const properties = isRecord(schema.properties) ? schema.properties : null
  if (properties !== null || (depth === 0 && schema.type === 'object')) {
    const required = listIn(schema.required)
    const filled: Record<string, unknown> = {}
    for (const [key, inner] of Object.entries(properties ?? {})) {
      const isWanted = required.includes(key)
      const isKnown = [QUERY, ID, IDS, HOLDER].some((names) => names.test(key))
      if (!isWanted && !isKnown) continue
      const value = valueFor(key, inner, facts, depth + 1)
      if (value !== undefined) filled[key] = value
    }
    return required.every((key) => typeof key === 'string' && key in filled) ? filled : undefined
  }
  const [id] = facts.ids
  if (QUERY.test(name)) return facts.name === '' ? undefined : facts.name
  if (ID.test(name)) return id
  if (IDS.test(name)) return id === undefined ? undefined : [id]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  return schema.type === 'object' ? {} : undefined
}
