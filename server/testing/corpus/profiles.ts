import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import { buildProfile } from '../../../shared/manifest/ucp/build.ts'
import { inspectAny } from '../../../shared/manifest/ucp/profile.ts'
import { AcpDiscovery } from '../../../shared/protocols/acp/discovery.ts'
import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { isUri } from '../../../shared/web/address/uri.ts'
import { field, isRecord } from '../../../shared/web/json/json.ts'

interface Ours {
  dialect: string
  /** The verdict without our additional rules: the official schema has to agree with it. */
  valid: boolean
  shoppable: boolean | null
  errors: string[]
  additional: string[]
}

/** Null if no official schema covers the document. */
type Official = { valid: boolean; errors: string[] } | null

type Judge = (document: unknown) => Ours
type Oracle = (document: unknown) => Promise<Official>

/**
 * Judges every `profiles/*.json` and `acp/*.json` under a folder twice, by our schemas and by the
 * official JSON Schemas under `<folder>/schemas`, and writes both verdicts side by side.
 * Reads the folder and nothing else; no file in it makes this fail.
 */
export async function runProfileCorpus(
  folder: string,
  write: (line: string) => void,
): Promise<{ read: number; judgedTwice: number; agreed: number }> {
  const schemas = join(folder, 'schemas')
  const officialProfile = profileOracle(join(schemas, 'ucp'))
  const officialAcp = await acpOracle(join(schemas, 'acp', ACP.newest))
  const count = { read: 0, judgedTwice: 0, agreed: 0 }

  const report = async (name: string, document: unknown, judge: Judge, oracle: Oracle) => {
    count.read++
    if (document === undefined) {
      write(`${name}  not JSON`)
      return
    }
    const ours = judge(document)
    const official = await oracle(document)
    const agrees = official === null ? null : official.valid === ours.valid
    if (agrees !== null) count.judgedTwice++
    if (agrees) count.agreed++
    writeVerdicts(name, ours, official, agrees, write)
  }

  for (const { name, path } of await filesOf(folder, 'profiles')) {
    await report(name, await readJson(path), judgeProfile, officialProfile)
  }
  for (const { name, path } of await filesOf(folder, 'acp')) {
    await report(name, await readJson(path), judgeAcp, officialAcp)
  }
  const built = await Promise.all(builtRequests().map(judgeBuilt(officialProfile)))
  write(
    `${count.read} documents, ${count.judgedTwice} with an official schema: ` +
      `${count.agreed} verdicts agree, ${count.judgedTwice - count.agreed} differ; ` +
      `${built.filter(Boolean).length} of ${built.length} built profiles are valid by both`,
  )
  return count
}

function writeVerdicts(
  name: string,
  ours: Ours,
  official: Official,
  agrees: boolean | null,
  write: (line: string) => void,
): void {
  const word = (valid: boolean) => (valid ? 'valid' : 'invalid')
  const shoppable =
    ours.shoppable === null ? '' : ours.shoppable ? ', shoppable' : ', not shoppable'
  const theirs = official === null ? 'no schema' : word(official.valid)
  const agreement = agrees === null ? '' : agrees ? '  agree' : '  DIFFER'
  write(`${name}  ${ours.dialect}`)
  write(`  ours ${word(ours.valid)}${shoppable}  official ${theirs}${agreement}`)
  for (const error of ours.errors) write(`    error     ${error}`)
  if (agrees === false) for (const error of official?.errors ?? []) write(`    official  ${error}`)
  for (const finding of ours.additional) write(`    ours      ${finding}`)
}

async function filesOf(folder: string, kind: string) {
  const names = await readdir(join(folder, kind)).catch(() => [])
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name: `${kind}/${name}`, path: join(folder, kind, name) }))
}

/** The parsed file; undefined when it cannot be read or is not JSON. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function judgeProfile(document: unknown): Ours {
  const { dialect, errors, warnings, shoppable, shoppable_reason } = inspectAny(document)
  const line = (error: (typeof errors)[number]) => `${error.field} ${error.code}: ${error.message}`
  const theirs = errors.filter((error) => !error.ours)
  return {
    dialect,
    valid: theirs.length === 0,
    shoppable,
    errors: theirs.map(line),
    additional: [
      shoppable_reason,
      ...errors.filter((error) => error.ours).map((error) => `${line(error)} (error)`),
      ...warnings,
    ],
  }
}

function judgeAcp(document: unknown): Ours {
  const issues = AcpDiscovery.safeParse(document).error?.issues ?? []
  // Beyond the official schema we demand https and lists that are not empty.
  const isOurs = ({ code, path }: (typeof issues)[number]) =>
    code === 'too_small' ||
    (path.join('.') === 'api_base_url' && isUri(String(field(document, 'api_base_url'))))
  const line = (issue: (typeof issues)[number]) => `${issue.path.join('.') || '$'} ${issue.message}`
  const theirs = issues.filter((issue) => !isOurs(issue))
  return {
    dialect: 'acp',
    valid: theirs.length === 0,
    shoppable: null,
    errors: theirs.map(line),
    additional: issues.filter(isOurs).map((issue) => `${line(issue)} (error)`),
  }
}

const judgeBuilt = (oracle: Oracle) => async (request: ManifestRequest) => {
  const { profile } = buildProfile(request)
  const official = await oracle(profile)
  return inspectAny(profile).errors.length === 0 && official?.valid === true
}

/** What we build ourselves is judged by the official schema as well. */
function builtRequests(): ManifestRequest[] {
  const least = {
    domain: 'shop.example',
    catalog_endpoint: 'https://shop.example/ucp/products',
    checkout_endpoint: 'https://shop.example/ucp/checkout',
  }
  const most = {
    ...least,
    shipping_endpoint: 'https://shop.example/ucp/shipping',
    orders_endpoint: 'https://shop.example/ucp/orders',
    supports_search: true,
    supports_filters: ['category'],
    supported_payment_methods: ['card'],
  }
  return [least, most, { ...most, orders_endpoint: 'https://orders.example/v2/status' }]
}

const ROOT = 'https://schemas.invalid/'

/** A schema leads to another that is not in the folder: then nothing can be judged by it. */
class SchemaMissing extends Error {
  override name = 'SchemaMissing'
}

/** Anything else that goes wrong is a fault of ours, and would hide every disagreement. */
function unlessMissing(error: unknown): null {
  if (error instanceof SchemaMissing) return null
  throw error
}

/**
 * Compiles `<folder>/<file>#<pointer>`. The published `$id`s and relative `$ref`s do not fit each
 * other, so every file gets the `$id` of its place in the folder.
 */
async function compile(folder: string, schema: AnySchemaObject): Promise<ValidateFunction> {
  // Node sees only the default export of this CommonJS module (nodejs/cjs-module-lexer).
  const { default: Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: addFormats } = await import('ajv-formats')
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    loadSchema: async (uri) => {
      const file = uri.startsWith(ROOT) ? uri.slice(ROOT.length) : null
      const found = file === null ? undefined : await readJson(join(folder, file))
      if (!isRecord(found)) throw new SchemaMissing(`No schema ${uri}.`)
      return { ...found, $id: uri }
    },
  })
  addFormats.default(ajv)
  return ajv.compileAsync(schema)
}

/** Where the versions keep the schema of a business profile, the most specific place first. */
const PROFILE_SCHEMAS = [
  { file: 'schemas/profile.json', pointers: ['/$defs/business_schema'] },
  { file: 'discovery/profile_schema.json', pointers: ['/$defs/business_profile', ''] },
  { file: 'schemas/ucp.json', pointers: ['/$defs/business_schema', '/$defs/discovery_profile'] },
]

async function profileSchema(folder: string): Promise<AnySchemaObject | null> {
  for (const { file, pointers } of PROFILE_SCHEMAS) {
    const found = await readJson(join(folder, file))
    const pointer = pointers.find((each) => isRecord(pointed(found, each)))
    if (pointer === undefined) continue
    const $ref = `${ROOT}${file}#${pointer}`
    return file === 'schemas/ucp.json'
      ? { required: ['ucp'], properties: { ucp: { $ref } } }
      : { $ref }
  }
  return null
}

const pointed = (schema: unknown, pointer: string): unknown =>
  pointer.split('/').slice(1).reduce(field, schema)

function profileOracle(folder: string): Oracle {
  const compiled = new Map<string, Promise<ValidateFunction | null>>()
  const compileVersion = async (version: string) => {
    const schema = await profileSchema(join(folder, version))
    return schema && compile(join(folder, version), schema).catch(unlessMissing)
  }
  return async (document) => {
    const version = field(field(document, 'ucp'), 'version')
    if (!UCP.isKnown(version)) return null
    const validate = compiled.get(version) ?? compileVersion(version)
    compiled.set(version, validate)
    return verdict(await validate, document)
  }
}

async function acpOracle(folder: string): Promise<Oracle> {
  const $ref = `${ROOT}json-schema/schema.agentic_checkout.json#/$defs/DiscoveryResponse`
  const hasSchema =
    (await readJson(join(folder, 'json-schema/schema.agentic_checkout.json'))) !== undefined
  const validate = hasSchema ? await compile(folder, { $ref }).catch(unlessMissing) : null
  return async (document) => verdict(validate, document)
}

/** A document too deep for the recursion of the official schema gets no verdict. */
function verdict(validate: ValidateFunction | null, document: unknown): Official {
  if (validate === null) return null
  try {
    const valid = validate(document)
    const errors = (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || '/'} ${message ?? 'is wrong'}`,
    )
    return { valid, errors }
  } catch {
    return null
  }
}
