import { isCurrency } from '../../../commerce/iso.ts'
import { AcpDiscovery, acpBaseOf } from '../../../protocols/acp/discovery.ts'
import { ACP, spokenAcpVersion } from '../../../protocols/acp/versions.ts'
import { sharedCacheSeconds } from '../../../web/http/cache-control.ts'
import type { Answer } from '../../../web/http/fetched.ts'
import { contentType, isJsonType, jsonOf, presenceOf } from '../../../web/http/presence.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { AcpSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, type Rule, skip, type Verdict } from '../../rule.ts'
import { acpRule } from './acp-rule.ts'
import { salesOver } from './steps.ts'

/** ACP, Discovery, Document Location: an hour at least. */
const MIN_CACHE_SECONDS = 3600

const whenPresent = ({ discovery }: AcpSeen, judge: (answer: Answer) => Verdict): Verdict => {
  const presence = presenceOf(discovery.fetched)
  if (presence.is === 'absent') return notApplicable(presence.why)
  return presence.is === 'present' ? judge(presence.answer) : skip(presence.why)
}

/**
 * What is wrong with the document, as parts of a sentence. Members that the schema does not know
 * are allowed: they break nothing. So is `feeds`, which ACP's own text on feeds asks for.
 */
function problemsOf(document: unknown): string[] {
  const protocol = field(document, 'protocol')
  const version = field(protocol, 'version')
  const isNewer = ACP.isNewer(version)
  const issues = AcpDiscovery.safeParse(document).error?.issues ?? []
  const ofShape = issues.flatMap((issue) => {
    const at = issue.path.join('.')
    const value = issue.path.reduce<unknown>(
      (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : field(inner, String(key))),
      document,
    )
    // Unspecified: ACP's schema is closed, and unknown members are let pass all the same, as are
    // the values of lists in documents of a version later than those that this code knows.
    if (issue.code === 'unrecognized_keys') return []
    if (issue.code === 'invalid_value' && issue.path.length > 1) {
      const isInList = typeof issue.path.at(-1) === 'number' && typeof value === 'string'
      if (isInList && (isNewer || value === 'feeds')) return []
    }
    return [`${at || 'the document'}: ${issue.message}`]
  })
  if (ofShape.length > 0) return ofShape
  const versions = field(protocol, 'supported_versions')
  const known = Array.isArray(versions) ? versions.map(String) : []
  const currencies = field(field(document, 'capabilities'), 'supported_currencies')
  const strange = (Array.isArray(currencies) ? currencies.map(String) : []).filter(
    (code) => !isCurrency(code.toUpperCase()),
  )
  return [
    ...(known.includes(String(version))
      ? []
      : [`protocol.supported_versions: lacks protocol.version, ${shown(version)}`]),
    ...(known.join() === known.toSorted().join()
      ? []
      : ['protocol.supported_versions: must be in order, oldest first']),
    ...strange.map(
      (code) => `capabilities.supported_currencies: ${shown(code)} is not an active ISO 4217 code`,
    ),
  ]
}

/**
 * That the file may be removed as well, where ACP was found without it. Elsewhere it is the file
 * that leads agents to it, however faulty.
 */
function unlessNeeded(acp: AcpSeen): string {
  const sales = acpBaseOf(jsonOf(acp.discovery)) === null ? salesOver(acp) : null
  return sales?.are === 'certain'
    ? ` ACP was found at ${sales.where} without the file, so you may also remove it.`
    : ''
}

/** What to know of a document that is ahead of this code; nothing of any other. */
function newerNote(document: unknown): string | undefined {
  const version = field(field(document, 'protocol'), 'version')
  if (!ACP.isNewer(version)) return undefined
  const spoken = spokenAcpVersion(document)
  const how = spoken === version ? 'as far as it can be judged' : `by the answers in ${spoken}`
  return `it is of ACP ${version}, which is newer than this version of Aisle knows (${ACP.newest}): the services are judged ${how}`
}

/** Rules over /.well-known/acp.json itself. */
export const acpDiscoveryRules: readonly Rule[] = [
  acpRule(
    {
      id: 'acp_discovery_invalid',
      lostWith: ['https_missing'],
      authority: `ACP ${ACP.newest}, DiscoveryResponse`,
    },
    (acp) =>
      whenPresent(acp, (answer) => {
        const { discovery } = acp
        if (discovery.json?.ok === false) {
          return gap(
            `${answer.url} is not valid JSON: ${discovery.json.problem}${unlessNeeded(acp)}`,
          )
        }
        const problems = problemsOf(jsonOf(discovery))
        if (!isJsonType(contentType(answer))) {
          problems.push(`it is sent as ${shown(answer.headers['content-type'])}, not as JSON`)
        }
        return problems.length === 0
          ? pass(newerNote(jsonOf(discovery)))
          : gap(`${answer.url}: ${problems.slice(0, 4).join('; ')}.${unlessNeeded(acp)}`)
      }),
  ),
  acpRule(
    {
      id: 'acp_discovery_not_cacheable',
      lostWith: ['acp_discovery_invalid'],
      authority: 'ACP, Discovery, Document Location',
    },
    (acp) =>
      whenPresent(acp, (answer) => {
        if (acp.official === null) return notApplicable('it names no address of official ACP')
        const header = answer.headers['cache-control']
        // The header is only recommended: without it, agents keep the file as long as they like.
        if (header === undefined) return pass('it has no Cache-Control, which is allowed')
        const seconds = sharedCacheSeconds(answer)
        return seconds !== null && seconds >= MIN_CACHE_SECONDS
          ? pass()
          : gap(
              `Cache-Control is ${shown(header)}; expected public and at least max-age=${MIN_CACHE_SECONDS}.`,
            )
      }),
  ),
]
