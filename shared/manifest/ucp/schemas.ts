import * as z from 'zod'
import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { isVersionDate, VERSION_EXAMPLE } from '../../protocols/versions.ts'
import { isUri } from '../../web/address/uri.ts'
import { shown } from '../../web/json/json.ts'
import type { ManifestErrorCode } from '../fields.ts'
import { constraintFault } from './constraint.ts'
import { keyFaults } from './keys.ts'

/** A string that meets a condition; the message quotes the value. */
const text = (holds: (value: string) => boolean, code: ManifestErrorCode, expected: string) =>
  z.string().refine(holds, {
    params: { code },
    error: ({ input }) => `Must be ${expected}, is ${shown(input)}.`,
  })

/**
 * Reversed domain names as the JSON Schema of each version allows them; 2026-08-25 also allows
 * hyphens and labels that begin with a digit.
 */
const LETTERS = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$/
const LABELS = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/

// Unspecified: the longest name has 1,000 characters. Longer ones are rejected before any pattern
// runs on them.
const MAX_NAME = 1000

const nameOf = (pattern: RegExp) =>
  text(
    (value) => value.length <= MAX_NAME && pattern.test(value),
    'invalid_value',
    'a reversed domain name such as "dev.ucp.shopping.checkout"',
  )

const Uri = text(
  isUri,
  'invalid_url',
  'an absolute URL (RFC 3986, other characters percent-encoded)',
)

/** UCP source/schemas/ucp.json: only a date, so `draft` is invalid. */
const VersionDate = text(isVersionDate, 'invalid_version', `a date such as "${VERSION_EXAMPLE}"`)
const Config = z.looseObject({})

/**
 * Members that every entry of a registry has (UCP source/schemas/ucp.json). Unknown members are
 * allowed.
 */
const entity = {
  version: VersionDate,
  spec: Uri.optional(),
  schema: Uri.optional(),
  id: z.string().optional(),
  config: Config.optional(),
}

/** A transport that needs an address. */
const served = (transport: 'rest' | 'mcp' | 'a2a') =>
  z.object({ ...entity, transport: z.literal(transport), endpoint: Uri })

/** The only transport that needs no endpoint (UCP source/schemas/service.json). */
const embedded = (config: z.ZodType) =>
  z.object({
    ...entity,
    transport: z.literal('embedded'),
    endpoint: Uri.optional(),
    config: config.optional(),
  })

/** An entry of `ucp.services`, by its transport. */
const service = (config: z.ZodType) =>
  z.discriminatedUnion(
    'transport',
    [served('rest'), served('mcp'), served('a2a'), embedded(config)],
    { error: 'Must be "rest", "mcp", "a2a" or "embedded".' },
  )

const EmbeddedConfig = z.object({ delegate: z.array(z.string()).optional() })

/** 2026-04-08 lets a shop state the colour schemes of its embedded checkout. */
const EmbeddedColours = EmbeddedConfig.extend({
  color_scheme: z.array(z.enum(['light', 'dark'])).optional(),
})

/** `extends` from 2026-04-08 on: one parent, or a list of alternatives. */
const oneOrMany = (name: z.ZodType) =>
  z.union([name, z.array(name).min(1)], {
    error: ({ input }) => `Must be the name of a capability or a list of them, is ${shown(input)}.`,
  })

const Handler = z.object({ ...entity, id: z.string() })

/** Payment handlers from 2026-04-08 on name the instruments that they take. */
const handlerWith = (constraints: z.ZodType) =>
  Handler.extend({
    available_instruments: z
      .array(z.object({ type: z.string(), constraints: constraints.optional() }))
      .min(1)
      .optional(),
  })

/** 2026-04-08: any object but an empty one. */
const AnyConstraints = z
  .looseObject({})
  .refine((value) => Object.keys(value).length > 0, 'Must not be empty: remove it instead.')

/** 2026-08-25 defines what a constraint may say; the reader reports where it departs. */
const Constraints = z.unknown().superRefine((value, context) => {
  const found = constraintFault(value)
  if (found === null) return
  const { path, fault } = found
  context.addIssue({
    code: 'custom',
    path: [...path],
    message: fault.message,
    params: { code: fault.code },
  })
})

/** Public members of a JSON Web Key (RFC 7517; RFC 7518, 6). */
const keyMembers = {
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
  alg: z.string().optional(),
}

/** A signing key until 2026-04-08. */
const Key = z.object({
  kid: z.string(),
  kty: z.string(),
  ...keyMembers,
  n: z.string().optional(),
  e: z.string().optional(),
  use: z.enum(['sig', 'enc']).optional(),
})

/** 2026-08-25 also checks members against the type of the key, and forbids private ones. */
const OpenKey = z
  .looseObject({ kid: z.string(), kty: z.string(), ...keyMembers, use: z.string().optional() })
  .superRefine((key, context) => {
    for (const { member, fault } of keyFaults(key)) {
      const { code, message } = fault
      context.addIssue({ code: 'custom', path: [member], message, params: { code } })
    }
  })

const Status = z.object({ status: z.enum(['success', 'error']).optional() })

/** 2026-08-25 lets a profile state the order of its maps. */
const StatusAndOrder = Status.extend({
  map_order: z.record(z.string(), z.array(z.string())).optional(),
})

/**
 * One entry of each registry, and the other members, in the business profile of one version (UCP
 * source/schemas/{profile,ucp,service,capability,payment_handler}.json at its tag).
 */
export interface ProfileShape {
  name: z.ZodType
  service: z.ZodType
  capability: z.ZodType
  handler: z.ZodType
  /** `ucp` without its registries. */
  envelope: z.ZodType
  key: z.ZodType
  keys: 'signing_keys' | 'keys'
  supportedVersions: { version: z.ZodType; profile: z.ZodType } | null
}

const NAMES = { letters: nameOf(LETTERS), hosts: nameOf(LABELS) }
const HANDLERS = {
  none: Handler,
  any: handlerWith(AnyConstraints),
  defined: handlerWith(Constraints),
}
const ENVELOPES = { none: z.object({}), status: Status, order: StatusAndOrder }

function shapeOf(version: UcpVersion): ProfileShape {
  const release = UCP.of(version)
  const name = NAMES[release.names]
  const parent = release.parents === 'one' ? name : oneOrMany(name)
  return {
    name,
    service: service(release.hasColours ? EmbeddedColours : EmbeddedConfig),
    capability: z.object({
      ...entity,
      ...(release.needsSchema && { schema: Uri }),
      extends: parent.optional(),
    }),
    handler: HANDLERS[release.constraints],
    envelope: ENVELOPES[release.envelope],
    key: release.checksKeys ? OpenKey : Key,
    keys: release.keys,
    supportedVersions: release.leadsOn ? { version: VersionDate, profile: Uri } : null,
  }
}

/** The shape of each version whose registries are maps of lists. */
export const PROFILE_SHAPES: ReadonlyMap<UcpVersion, ProfileShape> = new Map(
  UCP.all
    .filter((version) => UCP.of(version).registries === 'maps')
    .map((version) => [version, shapeOf(version)]),
)

/** Where registries are lists: services are objects with a key per transport. */
export const FIRST_SHAPE = {
  service: z.object({
    version: VersionDate,
    spec: Uri,
    rest: z.object({ schema: Uri, endpoint: Uri }).optional(),
    mcp: z.object({ schema: Uri, endpoint: Uri }).optional(),
    a2a: z.object({ endpoint: Uri }).optional(),
    embedded: z.object({ schema: Uri }).optional(),
  }),
  capability: z.object({
    name: NAMES.letters,
    version: VersionDate,
    spec: Uri,
    schema: Uri,
    extends: NAMES.letters.optional(),
    config: Config.optional(),
  }),
  handler: z.object({
    id: z.string(),
    name: z.string(),
    version: VersionDate,
    spec: Uri,
    config_schema: Uri,
    instrument_schemas: z.array(Uri),
    config: Config,
  }),
  key: Key,
}
