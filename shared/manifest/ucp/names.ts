import { schemaOf } from '../../protocols/ucp/names.ts'
import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { shown } from '../../web/json/json.ts'
import { editDistance } from '../../web/text/near-names.ts'
import { dotted, type Path } from './findings.ts'
import type { ProfileEntry, ProfileOffer } from './offer.ts'

type Part = 'services' | 'capabilities'

/** All names that UCP has published, with their schemas. */
const PUBLISHED: Readonly<Record<Part, ReadonlyMap<string, readonly string[]>>> = {
  services: new Map(UCP.all.flatMap((version) => Object.entries(UCP.of(version).services))),
  capabilities: new Map(
    UCP.all
      .flatMap((version) => UCP.of(version).capabilities)
      .map((name) => [name, [schemaOf(name)]]),
  ),
}

/** A finding about a name or its schema, as a sentence that begins with the path. */
interface NameFinding {
  /**
   * Whether it is certainly a mistake; otherwise UCP may have published the name since this code
   * was written.
   */
  certain: boolean
  text: string
}

/** The most entries that are read: agents know about two dozen names. */
const MAX_ENTRIES = 200

/**
 * Findings about names that belong to UCP, and about their schema addresses on ucp.dev. Names of
 * other owners are always valid, and `spec` is for people (UCP overview, Authority Binding).
 */
export function nameFindings(offer: ProfileOffer, version: UcpVersion): NameFinding[] {
  const judge = (part: Part) =>
    offer[part]
      .filter(({ name }) => name.startsWith('dev.ucp.'))
      .slice(0, MAX_ENTRIES)
      .flatMap((entry) => findingsOf(entry, part, version))
  return [...judge('services'), ...judge('capabilities')]
}

function findingsOf(entry: ProfileEntry, part: Part, version: UcpVersion): NameFinding[] {
  const { name, path, schema } = entry
  const schemas = PUBLISHED[part].get(name)
  if (schemas === undefined) return [unknownName(path, name, part)]
  const elsewhere = schema === null ? null : schemaFault(entry, schema, schemas, version)
  const findings: NameFinding[] = elsewhere === null ? [] : [{ certain: true, text: elsewhere }]
  const { services, capabilities } = UCP.of(version)
  return (part === 'services' ? Object.hasOwn(services, name) : capabilities.includes(name))
    ? findings
    : [
        // Harmless: agents of the version skip it.
        {
          certain: false,
          text: `${dotted(path)}: ${shown(name)} came after ${version}, so that agents of this version skip it.`,
        },
        ...findings,
      ]
}

function unknownName(path: Path, name: string, part: Part): NameFinding {
  const near = nearestName(name, [...PUBLISHED[part].keys()])
  const hint = near === null ? '' : ` Did you mean ${shown(near)}?`
  return {
    // Unspecified: a name that resembles no known one does not count against the store, because UCP
    // may add names to a version that is already published (UCP overview, Component Versioning).
    certain: near !== null,
    text: `${dotted(path)}: ${shown(name)} is not a name of UCP that agents know.${hint}`,
  }
}

/** Words that sites put in place of a date; their content may change. */
const MOVING = ['draft', 'latest', 'main']

/**
 * Why agents do not find the schema of this name at an address on ucp.dev; null if the address is
 * right or unknown.
 */
function schemaFault(
  entry: ProfileEntry & { transport?: string },
  schema: NonNullable<ProfileEntry['schema']>,
  published: readonly string[],
  version: UcpVersion,
): string | null {
  const url = URL.parse(schema.url)
  if (url?.hostname !== 'ucp.dev') return null
  const [first = '', ...rest] = url.pathname.slice(1).split('/')
  if (MOVING.includes(first) || UCP.isNewer(first)) return null
  const file = UCP.isKnown(first) ? rest.join('/') : [first, ...rest].join('/')
  // The first two versions have their own file for each request and each response.
  const whole = file.replace(/(\.(create|update|complete)_req|_resp)\.json$/, '.json')
  if (published.includes(whole)) return null
  const { name, transport = '' } = entry
  const wanted = published.find((each) => each.includes(`/${transport}.`)) ?? published[0]
  const right = `https://ucp.dev/${version}/${wanted}`
  return `${dotted(schema.path)}: ${shown(name)} has no schema at ${shown(schema.url)}, expected ${shown(right)}.`
}

/** The longest name that is compared. */
const MAX_COMPARED = 80

/**
 * The known name that was probably meant: the same but for a typo, the same last label elsewhere,
 * or the beginning of a longer name.
 */
function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED) return null
  const last = labelsOf(name).at(-1)
  const slip = known.find((each) => isSlip(name, each))
  if (slip !== undefined) return slip
  const moved = known.find((each) => labelsOf(each).at(-1) === last)
  if (moved !== undefined) return moved
  return known.find((each) => isSlip(name, labelsOf(each).slice(0, -1).join('.'))) ?? null
}

const labelsOf = (name: string): string[] => name.split('.')

/** Whether two names differ only in their last label, and by no more than a typo. */
function isSlip(name: string, known: string): boolean {
  const [one, other] = [labelsOf(name), labelsOf(known)]
  const [last = '', wanted = ''] = [one.pop(), other.pop()]
  // `dev.ucp.shopping` itself is the beginning of every name, and would match too much.
  if (other.length < 2 || one.join('.') !== other.join('.')) return false
  return editDistance(last, wanted) <= (wanted.length < 6 ? 1 : 2)
}
