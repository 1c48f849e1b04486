import { officialAnswers, salesOver } from '../../../shared/audit/checks/acp/steps.ts'
import type { AcpSeen } from '../../../shared/audit/evidence.ts'
import { isCurrency } from '../../../shared/commerce/iso.ts'
import { acpBaseOf } from '../../../shared/protocols/acp/discovery.ts'
import { OFFICIAL_ACP_PATHS } from '../../../shared/protocols/acp/operations.ts'
import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { isVersionDate } from '../../../shared/protocols/versions.ts'
import { listedNames } from '../../../shared/walk/verdict.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { field, textsIn } from '../../../shared/web/json/json.ts'
import { LEFT_ALONE } from '../probe/acp.ts'
import type { RouteAddress } from './route-address.ts'

/** A refusal is searched no further. */
const MAX_SAID = 4000

/** A route that can be walked, or why there is none, as sentences. */
export type RoutesFound = { routes: RouteAddress[]; why: string }

/**
 * The route over official ACP, from what an audit saw. An acp.json that names an address is
 * believed even if that address refuses strangers; so is an endpoint that refuses everyone, if
 * there is a key for it.
 */
export function officialAcpRoute(acp: AcpSeen, hasKey: boolean): RoutesFound {
  const none = (why: string): RoutesFound => ({ routes: [], why })
  const document = jsonOf(acp.discovery)
  const base = baseIn(acp, document, hasKey)
  if ('why' in base) return none(base.why)
  const { version, isAssumed } = versionIn(acp, document)
  if (!ACP.isWalked(version)) {
    return none(`ACP is spoken in version ${version}; walks speak ${listedNames(ACP.walked)}.`)
  }
  const capabilities = field(document, 'capabilities')
  const extensions = field(capabilities, 'extensions')
  const declared = textsIn(field(capabilities, 'supported_currencies'))
  const currencies = [...new Set(declared.map((code) => code.toUpperCase()).filter(isCurrency))]
  const names = (Array.isArray(extensions) ? extensions : []).map((each) => field(each, 'name'))
  return {
    routes: [
      {
        dialect: 'acp',
        endpoint: base.base,
        version,
        capabilities: [...textsIn(field(capabilities, 'services')), ...textsIn(names)],
        ...(isAssumed && { isAssumed }),
        ...(currencies.length > 0 && { currencies }),
        orders: null,
      },
    ],
    why: '',
  }
}

function baseIn(
  acp: AcpSeen,
  document: unknown,
  hasKey: boolean,
): { base: string } | { why: string } {
  const { official, perhaps, spoken } = acp
  if (official !== null && acpBaseOf(document) !== null) {
    const unasked = spoken.find(({ dialect }) => dialect === 'official')?.create.fetched
    const isLeft = unasked?.kind === 'not_asked' && unasked.reason !== LEFT_ALONE
    return isLeft ? { why: `${unasked.reason}.` } : { base: official.base }
  }
  if (official !== null && salesOver(acp) !== null) return { base: official.base }
  const end = OFFICIAL_ACP_PATHS.create
  if (perhaps !== null && hasKey && perhaps.endsWith(end)) {
    return { base: perhaps.slice(0, -end.length) }
  }
  return {
    why:
      perhaps === null
        ? 'ACP was not found.'
        : `ACP may be at ${perhaps}, but no acp.json names it, and this cannot be confirmed without a key.`,
  }
}

/**
 * The version to use: the one in acp.json, or the newest that can be walked among those that
 * acp.json or a refusal lists. If none is listed, the one that a refusal names in words, else the
 * newest of all; the oldest for a server that asks for the first releases' `items`.
 */
function versionIn(acp: AcpSeen, document: unknown): { version: string; isAssumed: boolean } {
  const protocol = field(document, 'protocol')
  const named = field(protocol, 'version')
  if (ACP.isWalked(named)) return { version: named, isAssumed: false }
  const listed = [
    ...textsIn(field(protocol, 'supported_versions')),
    ...officialAnswers(acp).flatMap((seen) => textsIn(field(jsonOf(seen), 'supported_versions'))),
  ]
    .filter(isVersionDate)
    .toSorted()
  const said = listed.findLast(ACP.isWalked) ?? (isVersionDate(named) ? named : listed.at(-1))
  return { version: said ?? guessFrom(acp), isAssumed: said === undefined }
}

function guessFrom(acp: AcpSeen): string {
  const said = officialAnswers(acp).map((seen) =>
    JSON.stringify(jsonOf(seen) ?? null).slice(0, MAX_SAID),
  )
  // It repeats the one that it was asked in.
  const named = ACP.all.findLast(
    (version) => version !== ACP.newest && said.some((text) => text.includes(version)),
  )
  if (named !== undefined) return named
  const [oldest = ACP.newest] = ACP.all
  const isOldest = said.some((text) => /\bitems\b/i.test(text.replaceAll('line_items', '')))
  return isOldest && !said.some((text) => text.includes('line_items')) ? oldest : ACP.newest
}
