import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { field, isRecord } from '../../../../shared/web/json/json.ts'

/** Which of its shapes a schema has: an answer's, or that of a request with this operation. */
export type Shape = 'answer' | 'create' | 'update' | 'complete' | 'request'

/** The published schemas of one version of a protocol. */
export interface OfficialSchemas {
  /**
   * Places such as `shopping/order.json` of the files that end so or have this name, one or none.
   */
  find: (nameOrEnd: string) => string | null
  has: (place: string) => boolean
  /** What is wrong with a value by the schema at each place, such as `cart.json#/$defs/Cart`. */
  faultsOf: (places: readonly string[], shape: Shape, value: unknown) => string[]
}

const ROOT = 'https://schemas.invalid/'

/**
 * Reads a folder of schemas, with all folders in it. The published `$id`s and relative `$ref`s do
 * not fit each other, so every file gets the `$id` of its place. Rejects when there is none.
 */
export async function readSchemas(folder: string): Promise<OfficialSchemas> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: addFormats } = await import('ajv-formats')
  const { parse } = await import('yaml')
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.split(sep).join('/'))
    .filter((name) => /^((schemas|discovery|json-schema)\/.*\.json|openapi\/.*\.yaml)$/.test(name))
  const files = new Map<string, unknown>()
  for (const name of names) {
    // JSON is YAML as well.
    files.set(name, parse(await readFile(join(folder, name), 'utf8')))
  }

  const validators = new Map<Shape, Ajv2020>()
  function validatorOf(shape: Shape): Ajv2020 {
    const known = validators.get(shape)
    if (known) return known
    const ajv = new Ajv2020({
      strict: false,
      logger: false,
      allErrors: true,
      validateSchema: false,
    })
    addFormats.default(ajv)
    for (const [place, schema] of files) {
      const shaped = shapeOf(schema, shape)
      if (isRecord(shaped)) ajv.addSchema({ ...shaped, $id: ROOT + place })
    }
    validators.set(shape, ajv)
    return ajv
  }

  return {
    find: (nameOrEnd) =>
      [...files].find(
        ([place, schema]) => field(schema, 'name') === nameOrEnd || place.endsWith(nameOrEnd),
      )?.[0] ?? null,
    has: (place) => {
      const [file = '', pointer = ''] = place.split('#')
      const steps = pointer.split('/').slice(1)
      return steps.reduce<unknown>(field, files.get(file)) !== undefined
    },
    faultsOf: (places, shape, value) => {
      const ajv = validatorOf(shape)
      const faults = places.flatMap((place) => {
        const validate = ajv.compile({ $ref: ROOT + place })
        validate(value)
        return (validate.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
        )
      })
      return [...new Set(faults)]
    },
  }
}

/**
 * UCP publishes one schema for a request and its answer: `ucp_request` and `ucp_response` say which
 * properties are left out, may be there or must be, for every operation or for some.
 */
function shapeOf(schema: unknown, shape: Shape): unknown {
  if (Array.isArray(schema)) return schema.map((each) => shapeOf(each, shape))
  if (!isRecord(schema)) return schema
  const shaped = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, shapeOf(value, shape)]),
  )
  const { properties, required } = shaped
  if (!isRecord(properties)) return shaped
  const kept = new Map(Object.entries(properties))
  const must = new Set<unknown>(Array.isArray(required) ? required : [])
  for (const [name, property] of Object.entries(properties)) {
    const rule = field(property, shape === 'answer' ? 'ucp_response' : 'ucp_request')
    const demand = isRecord(rule) ? rule[shape] : rule
    if (demand === 'required') must.add(name)
    if (demand === 'optional' || demand === 'omit') must.delete(name)
    if (demand === 'omit') kept.delete(name)
  }
  const isChanged = kept.size < Object.keys(properties).length || must.size > 0 || required
  return isChanged
    ? { ...shaped, properties: Object.fromEntries(kept), required: [...must] }
    : shaped
}
