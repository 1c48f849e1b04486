import { UCP_TOOLS } from '../protocols/ucp/operations.ts'
import { field, isRecord, listIn, shown } from '../web/json/json.ts'

/**
 * What a tool has to take, by its names alone: an empty object is a value, a list has entries of
 * one form (UCP, MCP binding).
 */
interface Form {
  readonly [name: string]: Form | readonly [Form]
}

const META: Form = { meta: {} }
const OF_ONE: Form = { ...META, id: {} }
const LINES: Form = { line_items: [{ item: { id: {} }, quantity: {} }] }
const PAYMENT: Form = { payment: { instruments: [{}] } }

const FORMS: Readonly<Record<string, Form>> = {
  [UCP_TOOLS.create]: { ...META, checkout: LINES },
  [UCP_TOOLS.read]: OF_ONE,
  [UCP_TOOLS.update]: { ...OF_ONE, checkout: LINES },
  [UCP_TOOLS.complete]: { ...OF_ONE, checkout: PAYMENT },
  [UCP_TOOLS.cancel]: OF_ONE,
  [UCP_TOOLS.order]: OF_ONE,
  [UCP_TOOLS.createCart]: { ...META, cart: LINES },
  [UCP_TOOLS.readCart]: OF_ONE,
  [UCP_TOOLS.updateCart]: { ...OF_ONE, cart: LINES },
  [UCP_TOOLS.cancelCart]: OF_ONE,
  search_catalog: { ...META, catalog: {} },
  lookup_catalog: { ...META, catalog: { ids: [{}] } },
  get_product: { ...META, catalog: { id: {} } },
}

/** What a schema may hold besides what UCP requires: agents fill it in where they have it. */
const OPTIONAL =
  /^(?:signals|attribution|context|buyer|fulfillment|discounts|idempotency_key|_meta)$/

/** A schema that departs from the protocol: an agent that builds its call by it is refused. */
interface SchemaFault {
  tool: string
  /** As a sentence. */
  found: string
  /** `create_checkout.inputSchema.checkout.line_items`. */
  field: string
}

/** The first departure of each tool's `inputSchema` from what UCP has the tool take. */
export function schemaFaults(tools: readonly unknown[]): SchemaFault[] {
  return tools.flatMap((tool) => {
    const name = field(tool, 'name')
    const form = typeof name === 'string' && Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
    const schema = field(tool, 'inputSchema')
    if (typeof name !== 'string' || form === undefined || !isRecord(schema)) return []
    const fault = faultIn({ root: schema, left: MAX_PARTS }, [schema], form, [])
    return fault === null
      ? []
      : [{ tool: name, found: fault.found, field: [name, 'inputSchema', ...fault.path].join('.') }]
  })
}

/** Schemas that are looked at for one tool: a store may nest them without end. */
const MAX_PARTS = 2000

interface Reading {
  root: Record<string, unknown>
  left: number
}
type Fault = { found: string; path: readonly string[] } | null

/** `schemas` are alternatives: it is enough if one of them fits. */
function faultIn(
  reading: Reading,
  schemas: readonly unknown[],
  form: Form,
  path: readonly string[],
): Fault {
  const faults = schemas.map((schema) => faultOfOne(reading, schema, form, path))
  return faults.includes(null) ? null : (faults[0] ?? null)
}

function faultOfOne(reading: Reading, schema: unknown, form: Form, path: readonly string[]): Fault {
  const { properties, required, isClosed, alternatives } = partsOf(reading, schema)
  // A schema that names nothing hides the form, and refuses nothing.
  if (properties.size === 0 && alternatives.length === 0) return null
  const [first] = alternatives
  if (first !== undefined && properties.size === 0) return faultIn(reading, first, form, path)
  for (const [name, inner] of Object.entries(form)) {
    const inners = properties.get(name)
    const isOpen = name === 'meta' && !isClosed
    if (inners === undefined) {
      if (isOpen) continue
      const names = [...properties.keys()].slice(0, 5).map((each) => shown(each))
      return { found: `It shows ${names.join(', ')} where UCP has ${shown(name)}.`, path }
    }
    const deeper = Array.isArray(inner)
      ? faultIn(reading, entriesOf(reading, inners), inner[0], [...path, `${name}[]`])
      : faultIn(reading, inners, inner as Form, [...path, name])
    if (Object.keys(Array.isArray(inner) ? (inner[0] ?? {}) : inner).length > 0 && deeper) {
      return deeper
    }
  }
  const demanded = required.find((name) => !Object.hasOwn(form, name) && !OPTIONAL.test(name))
  return demanded === undefined || Object.keys(form).length === 0
    ? null
    : { found: `It demands ${shown(demanded)}, which UCP does not have there.`, path }
}

/** What a schema says of an object, with what it refers to and what all of it combines. */
function partsOf(reading: Reading, schema: unknown) {
  const properties = new Map<string, unknown[]>()
  const required: string[] = []
  const alternatives: unknown[][] = []
  let isClosed = false
  const open = [schema]
  const known = new Set<unknown>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    reading.left -= 1
    if (!isRecord(next) || known.has(next) || reading.left < 0) continue
    known.add(next)
    const target = referred(reading.root, next.$ref)
    if (target !== undefined) open.push(target)
    open.push(...listIn(next.allOf))
    for (const key of ['anyOf', 'oneOf']) {
      if (Array.isArray(next[key])) alternatives.push(next[key])
    }
    if (next.additionalProperties === false) isClosed = true
    for (const name of listIn(next.required)) if (typeof name === 'string') required.push(name)
    for (const [name, inner] of Object.entries(isRecord(next.properties) ? next.properties : {})) {
      properties.set(name, [...(properties.get(name) ?? []), inner])
    }
  }
  return { properties, required, isClosed, alternatives }
}

/** The schemas of the entries of lists. */
const entriesOf = (reading: Reading, lists: readonly unknown[]): unknown[] =>
  lists.flatMap((list) => {
    const target = isRecord(list) ? (referred(reading.root, list.$ref) ?? list) : list
    const items = field(target, 'items')
    return items === undefined ? [{}] : [items]
  })

/** `#/$defs/line` in the same document. */
function referred(root: Record<string, unknown>, ref: unknown): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined
  return ref
    .slice(2, MAX_REF)
    .split('/')
    .reduce<unknown>(
      (at, part) => field(at, part.replaceAll('~1', '/').replaceAll('~0', '~')),
      root,
    )
}

const MAX_REF = 300
