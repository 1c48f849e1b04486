import * as z from 'zod'
import { field, isRecord, textsIn } from '../../../shared/web/json/json.ts'
import type { OpenApiDocument } from '../../routes/openapi/openapi.ts'

/** A field of a body, as a row of a table. */
export interface BodyField {
  /** Its path from the top: `gaps[].id`. */
  name: string
  /** `string`, `list of objects`, `"day" or "week"`. */
  type: string
  isRequired: boolean
  about: string
}

export interface Parameter {
  place: 'path' | 'query' | 'header'
  name: string
  type: string
  isRequired: boolean
  about: string
  /** A value for an example; null without one. */
  example: string | null
}

/** A body that the operation takes, written out. */
interface BodyExample {
  /** Null where there is one alone. */
  name: string | null
  text: string
}

/** One call of the API, as pages show it. */
export interface ApiCall {
  id: string
  method: string
  path: string
  title: string
  about: string | null
  group: string
  /** One of these sets of scopes is needed; without any, no key is. */
  scopes: readonly (readonly string[])[]
  parameters: Parameter[]
  body: { type: string; examples: BodyExample[]; fields: BodyField[] } | null
  answer: { about: string; types: string[]; example: string | null; fields: BodyField[] }
  /** The statuses with which it is refused, and when. */
  refusals: { status: string; about: string }[]
}

export interface ApiGroup {
  name: string
  about: string
  operations: ApiCall[]
}

/** The operations of the document in its groups, those first that need no other. */
export function readOperations(document: () => OpenApiDocument): () => ApiGroup[] {
  let read: ApiGroup[] | undefined
  return () => {
    read ??= groupsOf(document())
    return read
  }
}

function groupsOf(document: OpenApiDocument): ApiGroup[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) =>
      operationOf(document, { method, path }, Described.parse(value)),
    ),
  )
  return (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    about: description,
    operations: operations
      .filter(({ group }) => group === name)
      .toSorted((a, b) => depthOf(a) - depthOf(b)),
  }))
}

/** A call is made before those below its path; what is not of the API comes last. */
const depthOf = ({ path }: ApiCall): number =>
  path.split('/').length + (path.startsWith('/api/') ? 0 : 10)

const Content = z.record(
  z.string(),
  z.object({
    schema: z.unknown().optional(),
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.unknown()).default({}),
  }),
)
type Content = z.output<typeof Content>

const Described = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(
      z.object({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        required: z.boolean().default(false),
        description: z.string().optional(),
        schema: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: Content.default({}) }),
  ),
})

function operationOf(
  document: OpenApiDocument,
  { method, path }: { method: string; path: string },
  read: z.output<typeof Described>,
): ApiCall {
  const { requestBody, responses, parameters } = read
  const statuses = Object.entries(responses)
  const [, success] = statuses.find(([status]) => status.startsWith('2')) ?? []
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const answer = success?.content['application/json']
  return {
    id: read.operationId,
    method: method.toUpperCase(),
    path,
    title: read.summary,
    about: read.description ?? null,
    group: read.tags[0],
    scopes: read.security.map((each) => Object.values(each).flat()),
    parameters: parameters.map(({ in: place, name, required, description, schema }) => ({
      place,
      name,
      type: typeOf(document, schema),
      isRequired: required,
      about: description ?? textAt(schema, 'description'),
      example: exampleOf(schema),
    })),
    body:
      type === undefined || body === undefined
        ? null
        : {
            type,
            examples: examplesOf(document, body),
            fields: fieldsOf(document, field(body.schema, 'contentSchema') ?? body.schema),
          },
    answer: {
      about: success?.description ?? '',
      types: Object.keys(success?.content ?? {}),
      example: answer === undefined ? null : (examplesOf(document, answer)[0]?.text ?? null),
      fields: fieldsOf(document, answer?.schema),
    },
    refusals: statuses
      .filter(([status]) => !/^[23]/.test(status))
      .map(([status, { description }]) => ({ status, about: description })),
  }
}

function examplesOf(document: OpenApiDocument, content: Content[string]): BodyExample[] {
  const named = Object.entries(content.examples).map(([name, each]) => ({
    name: textAt(each, 'summary') || name,
    value: field(resolve(document, each), 'value'),
  }))
  const all = content.example === undefined ? named : [{ name: null, value: content.example }]
  return all.map(({ name, value }) => ({
    name: all.length > 1 ? name : null,
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }))
}

function exampleOf(schema: unknown): string | null {
  const example = field(schema, 'example')
  return typeof example === 'string' || typeof example === 'number' ? String(example) : null
}

/** What a `$ref` names, else the value itself. */
function resolve(document: OpenApiDocument, value: unknown): unknown {
  const ref = field(value, '$ref')
  if (typeof ref !== 'string') return value
  return ref.split('/').slice(1).reduce<unknown>(field, document)
}

const textAt = (value: unknown, key: string): string => {
  const text = field(value, key)
  return typeof text === 'string' ? text : ''
}

const alternativesOf = (schema: unknown): unknown[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const parts = field(schema, key)
    return Array.isArray(parts) ? parts : []
  })

/** The type of a schema in words. */
function typeOf(document: OpenApiDocument, schema: unknown): string {
  const is = resolve(document, schema)
  const options = field(is, 'enum')
  if (Array.isArray(options)) return options.map((each) => JSON.stringify(each)).join(' or ')
  const constant = field(is, 'const')
  if (constant !== undefined) return JSON.stringify(constant)
  const alternatives = alternativesOf(is)
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((each) => typeOf(document, each)))].join(' or ')
  }
  const type = field(is, 'type')
  const types = typeof type === 'string' ? [type] : textsIn(type)
  return types
    .map((each) => (each === 'array' ? `list of ${typeOf(document, field(is, 'items'))}` : each))
    .join(' or ')
}

/** Deeper fields, and schemas that hold themselves, are not followed. */
const MAX_DEPTH = 6

/** The fields of a body, those of what they hold after them. */
function fieldsOf(document: OpenApiDocument, schema: unknown): BodyField[] {
  const rows = new Map<string, BodyField>()
  const add = (value: unknown, path: string, above: readonly unknown[]): void => {
    const is = resolve(document, value)
    if (!isRecord(is) || above.includes(is) || above.length > MAX_DEPTH) return
    const within = [...above, is]
    for (const each of alternativesOf(is)) add(each, path, within)
    if (is.items !== undefined) add(is.items, `${path}[]`, within)
    const required = textsIn(is.required)
    for (const [name, inner] of Object.entries(isRecord(is.properties) ? is.properties : {})) {
      const at = path === '' ? name : `${path}.${name}`
      if (rows.has(at)) continue
      rows.set(at, {
        name: at,
        type: typeOf(document, inner),
        isRequired: required.includes(name),
        about: textAt(inner, 'description') || textAt(resolve(document, inner), 'description'),
      })
      add(inner, at, within)
    }
    if (isRecord(is.additionalProperties)) add(is.additionalProperties, `${path}.*`, within)
  }
  add(schema, '', [])
  return [...rows.values()]
}
