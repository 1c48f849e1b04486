import { errorWords, salesOver } from '../../../shared/audit/checks/acp/steps.ts'
import type {
  AcpDialectSeen,
  AcpMcpSeen,
  AcpSeen,
  ManifestSeen,
  McpSeen,
  OfficialAcpSeen,
} from '../../../shared/audit/evidence.ts'
import { recogniseDialect } from '../../../shared/manifest/dialect.ts'
import { isOfficial } from '../../../shared/manifest/ucp/profile.ts'
import { ACP_DISCOVERY, acpBaseOf } from '../../../shared/protocols/acp/discovery.ts'
import { OfficialAcpError } from '../../../shared/protocols/acp/error.ts'
import { ACP_TOOLS, OFFICIAL_ACP_PATHS } from '../../../shared/protocols/acp/operations.ts'
import { ACP, spokenAcpVersion } from '../../../shared/protocols/acp/versions.ts'
import { toolNames } from '../../../shared/protocols/mcp-answer.ts'
import { ACP_PATHS } from '../../../shared/protocols/spec/acp.ts'
import { isVersionDate } from '../../../shared/protocols/versions.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../../shared/web/http/presence.ts'
import { field, isRecord, textsIn } from '../../../shared/web/json/json.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { openMcp } from './mcp.ts'
import { type AuditSession, notAsked, requestJson } from './session.ts'

/** A session that no store has. */
const UNKNOWN_SESSION = 'aisle-unknown-session'

/** Older than ACP. */
const NO_VERSION = '2020-01-01'

/**
 * Bodies that ACP has to reject: their types are wrong, so that even a lenient server (one that
 * drops nulls, or reads anything but a list as an empty one) does not take them for an empty
 * basket. They carry neither a credential nor an idempotency key, which it must reject as well.
 */
const INVALID = {
  create: { line_items: [[]], items: [[]], currency: 0, capabilities: 0 },
  update: { line_items: [[]], items: [[]] },
  complete: { payment_data: 0 },
  carts: { line_items: [[]], items: [[]] },
} as const

/**
 * Without acp.json: where stores put official ACP when they give its address to agents themselves.
 */
const USUAL_BASES = ['', '/api', '/acp', '/acp/v1']

/** Why nothing is asked over REST. */
const MCP_ALONE = 'acp.json names MCP alone, whose address agents are told apart'

/** Why the address of an acp.json is not asked when its host has not agreed to it. */
export const LEFT_ALONE = 'its host has not agreed to be asked for this domain'

/** Why nothing is missing in a store that says how it sells, and never that it does so over ACP. */
const UCP_ALONE = 'the store has a UCP profile, and nowhere says that it has ACP'

type Ask = (path: string, question: Question) => Promise<JsonSeen>
type Question = { method: 'GET' | 'POST' | 'PATCH'; json?: object; version?: string }

/**
 * Asks the dialects of ACP that a store speaks what they must reject, and over MCP only what tools
 * there are. Nothing is created, however the store answers. At most seven requests in addition to
 * the one for acp.json, and with `overMcp` those to MCP.
 */
export async function probeAcp(
  session: AuditSession,
  domain: string,
  manifest: ManifestSeen,
  {
    overMcp = false,
    mayAsk = async () => true,
  }: { overMcp?: boolean; mayAsk?: (base: string) => Promise<boolean> } = {},
): Promise<AcpSeen> {
  const seen = await probeRest(session, domain, manifest, mayAsk)
  const { official } = seen
  if (official === null || !overMcp) return seen
  const mcp = await findMcp(session, official.base, jsonOf(seen.discovery))
  return mcp === null ? seen : { ...seen, official: { ...official, mcp } }
}

/**
 * The service over MCP that acp.json says there is. The document does not name its address: ACP's
 * own text has it at a path such as /mcp, next to those of REST.
 */
async function findMcp(
  session: AuditSession,
  base: string,
  document: unknown,
): Promise<AcpMcpSeen | null> {
  if (!textsIn(field(document, 'transports')).includes('mcp')) return null
  const asked: McpSeen[] = []
  for (const url of new Set([`${base}/mcp`, `${new URL(base).origin}/mcp`])) {
    const mcp = await openMcp(session, { url, version: null })
    await mcp.close()
    asked.push(mcp.seen)
    const tools = toolNames(mcp.seen) ?? []
    if (Object.values<string>(ACP_TOOLS).some((name) => tools.includes(name))) {
      return { asked, found: mcp.seen }
    }
  }
  return { asked, found: null }
}

/** Over REST, in each dialect. */
async function probeRest(
  session: AuditSession,
  domain: string,
  manifest: ManifestSeen,
  mayAsk: (base: string) => Promise<boolean>,
): Promise<AcpSeen> {
  const origin = `https://${domain}`
  const discovery = await requestJson(session, {
    url: `${origin}${ACP_DISCOVERY}`,
    maxBytes: BODY_CAPS.manifest,
  })
  const ask = askAt(session, origin)
  const document = jsonOf(discovery)
  const base = acpBaseOf(document)
  if (base === null) {
    const { doubt, ...seen } = await probeUnnamed(session, origin, discovery)
    // Unspecified: ACP does not say how agents learn an address that no acp.json names, so that a
    // store with an official profile does not get a gap for what it may never have promised.
    return { ...seen, doubt: doubt ?? (isOfficial(jsonOf(manifest)) ? UCP_ALONE : null) }
  }
  // Unspecified: a store with acp.json speaks official ACP. It is asked at the specification's
  // addresses as well only where its manifest is the specification's, so that neither is demanded.
  const isBoth = recogniseDialect(jsonOf(manifest)) === '1.0'
  const kept = (await mayAsk(base)) ? null : LEFT_ALONE
  const [found, specification] = await Promise.all([
    probeOfficial(askAt(session, base), base, { document, isBrief: isBoth, kept }),
    isBoth ? probeSpecification(ask) : null,
  ])
  const others = specification !== null && isServed(specification) ? [specification] : []
  return {
    discovery,
    spoken: [found.operations, ...others],
    official: found.own,
    perhaps: null,
    doubt: null,
  }
}

/**
 * Whether a store without UCP sells over ACP, for audits of any check. Where acp.json names an
 * address, a single call shows it; where none does, it is looked for at the usual ones. Null where
 * there is none.
 */
export async function probeAcpSales(
  session: AuditSession,
  domain: string,
): Promise<AcpSeen | null> {
  const discovery = await requestJson(session, {
    url: `https://${domain}${ACP_DISCOVERY}`,
    maxBytes: BODY_CAPS.manifest,
  })
  const document = jsonOf(discovery)
  const base = acpBaseOf(document)
  const left = notAsked('only an audit by the check acp asks for it')
  if (base === null) {
    const { created, found, perhaps } = await findAtUsual(session, `https://${domain}`)
    const official = found && { base: found.base, versions: [], carts: null }
    const specification = { create: created, update: left, complete: left }
    const spoken = found?.operations ?? { dialect: 'specification', ...specification }
    const seen = { discovery, spoken: [spoken], official, perhaps, doubt: null }
    return salesOver(seen) === null ? null : seen
  }
  const { version, unaskable } = readDiscovery(document)
  const mcp = unaskable === MCP_ALONE ? await findMcp(session, base, document) : null
  const create =
    unaskable === null
      ? await askAt(session, base)(OFFICIAL_ACP_PATHS.create, {
          method: 'POST',
          json: INVALID.create,
          version,
        })
      : notAsked(unaskable)
  return {
    discovery,
    spoken: [{ dialect: 'official', create, update: left, complete: left }],
    official: { base, versions: [], carts: null, ...(mcp !== null && { mcp }) },
    perhaps: null,
    doubt: null,
  }
}

/** What acp.json says of how the services are to be asked; `unaskable`: why they are not. */
function readDiscovery(document: unknown) {
  const protocol = field(document, 'protocol')
  const transports = textsIn(field(document, 'transports'))
  const services = textsIn(field(field(document, 'capabilities'), 'services'))
  return {
    protocol,
    version: spokenAcpVersion(document),
    services,
    unaskable:
      transports.length > 0 && !transports.includes('rest')
        ? MCP_ALONE
        : services.length > 0 && !services.includes('checkout')
          ? 'acp.json names no checkout'
          : null,
  }
}

const askAt =
  (session: AuditSession, base: string): Ask =>
  (path, { method, json, version }) =>
    requestJson(session, {
      method,
      url: `${base}${path.replace(':id', UNKNOWN_SESSION)}`,
      ...(json && { json }),
      ...(version !== undefined && { headers: { 'api-version': version } }),
      maxBytes: BODY_CAPS.manifest,
    })

/**
 * Official ACP below its address. Where `isBrief`, the update and the completion are left to the
 * other dialect that the store speaks. `kept`: why it is not asked at all.
 */
async function probeOfficial(
  ask: Ask,
  base: string,
  { document, isBrief, kept }: { document: unknown; isBrief: boolean; kept: string | null },
): Promise<{ operations: AcpDialectSeen; own: OfficialAcpSeen }> {
  const { create, read, update, complete, carts } = OFFICIAL_ACP_PATHS
  const { protocol, version, services, unaskable } = readDiscovery(document)
  const unasked = (why: string) => {
    const none = notAsked(why)
    const operations = { dialect: 'official', create: none, update: none, complete: none } as const
    return { operations, own: { base, versions: [], carts: null } }
  }
  const why = unaskable ?? kept
  if (why !== null) return unasked(why)
  const post = (path: string, json: object) => ask(path, { method: 'POST', json, version })
  const readIn = async (asked: string) => {
    return { asked, seen: await ask(read, { method: 'GET', version: asked }) }
  }
  const created = await post(create, INVALID.create)
  if (isOver(created)) {
    const { operations, own } = unasked('the ACP service did not answer the first request')
    return { operations: { ...operations, create: created }, own }
  }
  const left = notAsked('it was asked in the other dialect of the store')
  const [updated, completed, unknown, cart] = await Promise.all([
    isBrief ? left : post(update, INVALID.update),
    isBrief ? left : post(complete, INVALID.complete),
    readIn(NO_VERSION),
    services.includes('carts') ? post(carts, INVALID.carts) : null,
  ])
  // A server that names its versions when it refuses one need not be asked for each.
  const namesThem = Array.isArray(field(jsonOf(unknown.seen), 'supported_versions'))
  const [oldest] = textsIn(field(protocol, 'supported_versions'))
  const isAsked = !isBrief && !namesThem && oldest !== version && isVersionDate(oldest)
  const versions = [unknown, ...(isAsked && oldest ? [await readIn(oldest)] : [])]
  return {
    operations: { dialect: 'official', create: created, update: updated, complete: completed },
    own: { base, versions, carts: cart },
  }
}

/** Who gives no answer, or has had enough, is not asked again. */
const isOver = ({ fetched }: JsonSeen): boolean =>
  fetched.kind !== 'answer' || fetched.status === 429

/** The specification has no manifest for ACP: its endpoints are on fixed paths. */
const fixed = (ask: Ask) => ({
  create: () => ask(ACP_PATHS.create, { method: 'POST', json: { items: [[]] } }),
  update: () => ask(ACP_PATHS.update, { method: 'PATCH', json: {} }),
  complete: () => ask(ACP_PATHS.complete, { method: 'POST', json: {} }),
})

async function probeSpecification(ask: Ask, created?: JsonSeen): Promise<AcpDialectSeen> {
  const { create, update, complete } = fixed(ask)
  const first = created ?? (await create())
  const left = notAsked('the ACP service did not answer the first request')
  const [second, third] = isOver(first) ? [left, left] : await Promise.all([update(), complete()])
  return { dialect: 'specification', create: first, update: second, complete: third }
}

/**
 * One of its addresses is certain to be served: it refuses our request in JSON, for what it says.
 */
export const isServed = ({ create, update, complete }: AcpDialectSeen): boolean =>
  [create, update, complete].some(
    (seen) =>
      seen.fetched.kind === 'answer' &&
      [400, 402, 409, 410, 422].includes(seen.fetched.status) &&
      isRecord(jsonOf(seen)),
  )

/**
 * Without an address of official ACP. Versions before 2026-04-17 have no acp.json, so where nothing
 * is at the specification's addresses, the usual ones of official ACP are asked.
 */
async function probeUnnamed(
  session: AuditSession,
  origin: string,
  discovery: JsonSeen,
): Promise<AcpSeen> {
  const { created, found, perhaps } = await findAtUsual(session, origin)
  if (found !== null) {
    const official = { base: found.base, versions: [], carts: null }
    return { discovery, spoken: [found.operations], official, perhaps, doubt: null }
  }
  const specification = await probeSpecification(askAt(session, origin), created)
  const doubt =
    perhaps === null
      ? doubtOf(discovery)
      : `official ACP may be at ${perhaps}, which no acp.json names`
  return { discovery, spoken: [specification], official: null, perhaps, doubt }
}

/** What answers where the specification has ACP, and where nothing does, official ACP. */
async function findAtUsual(
  session: AuditSession,
  origin: string,
): Promise<Found & { created: JsonSeen }> {
  const created = await fixed(askAt(session, origin)).create()
  const isGone = created.fetched.kind === 'answer' && [404, 405].includes(created.fetched.status)
  return { created, ...(isGone ? await findUnnamed(session, origin, created) : NOTHING_FOUND) }
}

interface Found {
  found: { base: string; operations: AcpDialectSeen } | null
  /** Where it may be. */
  perhaps: string | null
}
const NOTHING_FOUND: Found = { found: null, perhaps: null }

/**
 * Official ACP at a usual address, by GET alone until that is certain: such a path may be anything,
 * and a POST may create something. It is certain where an error has ACP's own form.
 */
async function findUnnamed(
  session: AuditSession,
  origin: string,
  absent: JsonSeen,
): Promise<Found> {
  const { create, read, complete } = OFFICIAL_ACP_PATHS
  let perhaps: string | null = null
  for (const prefix of USUAL_BASES) {
    const base = `${origin}${prefix}`
    const ask = askAt(session, base)
    const seen = await ask(read, { method: 'GET', version: ACP.newest })
    if (!isAnswered(seen) || !isRecord(jsonOf(seen))) continue
    if (OfficialAcpError.safeParse(jsonOf(seen)).success) {
      const post = (path: string, json: object) =>
        ask(path, { method: 'POST', json, version: ACP.newest })
      const [created, completed] = await Promise.all([
        post(create, INVALID.create),
        post(complete, INVALID.complete),
      ])
      const update = notAsked('official ACP was found without acp.json, and only partly asked')
      const operations = {
        dialect: 'official',
        create: created,
        update,
        complete: completed,
      } as const
      return { found: { base, operations }, perhaps: null }
    }
    // A server's own 404 says the same everywhere.
    if (errorWords(seen) !== errorWords(absent)) {
      perhaps ??= `${base}${create}`
    }
  }
  return { found: null, perhaps }
}

/** An error, and not one of a gate. */
const isAnswered = ({ fetched }: JsonSeen): boolean =>
  fetched.kind === 'answer' && fetched.status >= 400 && ![403, 405, 429].includes(fetched.status)

/** Where acp.json could not be read this time, official ACP may be anywhere. */
function doubtOf({ fetched }: JsonSeen): string | null {
  const presence = presenceOf(fetched)
  return presence.is === 'absent' || presence.is === 'present' ? null : presence.why
}
