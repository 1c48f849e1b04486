import { isUcpVersion } from '../../../manifest/dialect.ts'
import { inspectAny, type ProfileInspection } from '../../../manifest/ucp/profile.ts'
import { jsonOf } from '../../../web/presence.ts'
import type { ManifestSeen, UcpSeen } from '../../evidence.ts'
import { inOtherDialect, type Rule, type RuleText, rule, type Verdict } from '../../rule.ts'

const PROFILE = 'UCP, Discovery and Governance'
const TRANSPORTS = 'UCP, Transports'

/** What the capabilities of the catalog begin with. */
export const CATALOG = 'dev.ucp.shopping.catalog.'

type Words = Pick<
  RuleText<'ucp'>,
  'gap' | 'passed' | 'lostWith' | 'check' | 'severity' | 'label' | 'fix'
> & { authority?: string }

/** Judges the document where it is an official profile. */
export const profileRule = (words: Words, audit: (profile: ProfileInspection) => Verdict): Rule =>
  rule({
    authority: PROFILE,
    ...words,
    tool: null,
    reads: ['manifest'],
    audit: ({ manifest }) => whenOfficial(manifest, audit),
  })

/** Judges what the profile's services answered. */
export const serviceRule = (
  words: Words,
  audit: (ucp: UcpSeen, profile: ProfileInspection) => Verdict,
): Rule =>
  rule({
    authority: TRANSPORTS,
    ...words,
    tool: null,
    reads: ['manifest', 'ucp'],
    audit: ({ manifest, ucp }) => whenOfficial(manifest, (profile) => audit(ucp, profile)),
  })

/**
 * Judges an official profile; stores with the manifest of the spec have other rules, and the result
 * does not mention these.
 */
function whenOfficial(
  manifest: ManifestSeen,
  audit: (profile: ProfileInspection) => Verdict,
): Verdict {
  const profile = inspectAny(jsonOf(manifest))
  return isUcpVersion(profile.dialect)
    ? audit(profile)
    : inOtherDialect('there is no official UCP profile')
}
