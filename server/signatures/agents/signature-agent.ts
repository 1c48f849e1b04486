import {
  type Item,
  isInnerList,
  type Parameters,
  parseDictionary,
  parseItem,
} from 'structured-headers'
import { normaliseDomain } from '../../../shared/web/address/domain.ts'
import { isPrivateHost } from '../../../shared/web/address/private-host.ts'

/** A covered component of a signature: its name with its parameters. */
export type Component = readonly [name: unknown, parameters: Parameters]

/**
 * The origin whose key directory a signature names in `Signature-Agent`, such as
 * `https://signer.example`, or why it names none
 * (draft-ietf-webbotauth-httpsig-protocol-01, 3.2.1). Only what the signature covers counts.
 */
export function signerOf(
  header: string | null,
  label: string,
  components: readonly Component[],
): { origin: string } | { problem: 'uncovered' | 'malformed' | 'unsupported' } {
  if (header === null) return { problem: 'uncovered' }
  const covered = components.filter(([name]) => name === 'signature-agent')
  const member = memberOf(header, label, covered)
  if (typeof member === 'string') return { problem: member }
  const [value, parameters] = member
  const type = String(parameters.get('type') ?? 'directory')
  // Unspecified: of the three kinds of discovery only the directory names a domain. The others
  // name an address at which anyone may publish keys, such as a profile page.
  if (type !== 'directory') return { problem: 'unsupported' }
  const origin = originOf(value)
  return origin === null ? { problem: 'malformed' } : { origin }
}

/** The member that a signature covers: under its own label, or else the only one that it covers. */
function memberOf(
  header: string,
  label: string,
  covered: readonly Component[],
): Item | 'uncovered' | 'malformed' {
  if (covered.length === 0) return 'uncovered'
  try {
    // Earlier drafts: a string, which is covered as a whole.
    if (header.trimStart().startsWith('"')) {
      return covered.some(([, parameters]) => parameters.size === 0)
        ? parseItem(header)
        : 'uncovered'
    }
    const members = parseDictionary(header)
    const keys = covered.flatMap(([, parameters]) =>
      parameters.size === 0 ? [...members.keys()] : [parameters.get('key')],
    )
    const key = keys.includes(label) ? label : keys.length === 1 ? keys[0] : undefined
    const member = typeof key === 'string' ? members.get(key) : undefined
    if (member === undefined) return 'uncovered'
    return isInnerList(member) ? 'malformed' : member
  } catch {
    return 'malformed'
  }
}

/** The origin of a public https URL without anything behind it; null for any other value. */
function originOf(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || url.protocol !== 'https:' || url.href !== `${url.origin}/`) return null
  const named = normaliseDomain(url.host)
  const isPublic = 'domain' in named && named.domain === url.host && !isPrivateHost(url.hostname)
  return isPublic ? url.origin : null
}
