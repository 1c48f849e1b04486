import type { ManifestError } from '../../../manifest/fields.ts'
import { inspectManifest } from '../../../manifest/inspect.ts'
import { isOfficial } from '../../../manifest/ucp/profile.ts'
import type { Answer } from '../../../web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../../web/http/presence.ts'
import { isRecord } from '../../../web/json/json.ts'
import type { ManifestSeen } from '../../evidence.ts'
import { gap, inOtherDialect, pass, skip, type Verdict } from '../../rule.ts'

/** A manifest that does not answer has a gap of its own; rules about its content skip. */
export function whenPresent(manifest: ManifestSeen, audit: (answer: Answer) => Verdict): Verdict {
  const presence = presenceOf(manifest.fetched)
  return presence.is === 'present' ? audit(presence.answer) : skip(presence.why)
}

/** Whether `www.` serves a JSON object at the path: a page there is not a manifest. */
export const isOnWww = ({ www }: ManifestSeen): boolean =>
  presenceOf(www.fetched).is === 'present' && isRecord(jsonOf(www))

/** Judges the document; one that cannot be read has its own gap, and is skipped here. */
export function whenRead(manifest: ManifestSeen, audit: (document: unknown) => Verdict): Verdict {
  return whenPresent(manifest, () =>
    manifest.json?.ok ? audit(manifest.json.value) : skip('the manifest is not valid JSON'),
  )
}

/**
 * Passes when the document has none of the errors that this gap stands for; official profiles are
 * not judged.
 */
export function whenNone(manifest: ManifestSeen, domain: string, id: OwnGap): Verdict {
  return whenOfSpec(manifest, (document) =>
    noneOf(inspectManifest(document, domain).errors.filter(OWN_GAPS[id])),
  )
}

/** The first eight errors as a gap; a broken generator may produce hundreds. */
export const noneOf = (errors: readonly ManifestError[]): Verdict =>
  errors.length === 0 ? pass() : gap(errors.slice(0, 8).map(sentence).join(' '))

/** Judges the manifest of the specification; an official profile has rules of its own. */
export function whenOfSpec(manifest: ManifestSeen, audit: (document: unknown) => Verdict): Verdict {
  return whenRead(manifest, (document) =>
    isOfficial(document)
      ? inOtherDialect('an official UCP profile is judged by its own rules')
      : audit(document),
  )
}

const sentence = ({ field: path, message }: ManifestError) => `${path}: ${message}`

/** The error of a capability that is not declared at all. */
const isUndeclared = (capability: string) => (error: ManifestError) =>
  error.field === `capabilities.${capability}` && error.code === 'required'

/**
 * The errors that have a gap of their own, by its id, so that one mistake does not cost a store
 * twice; `well_known_invalid` lists the others.
 */
export const OWN_GAPS = {
  catalog_undeclared: isUndeclared('product_catalog'),
  checkout_undeclared: isUndeclared('checkout'),
  well_known_domain_mismatch: ({ code }) => code === 'domain_mismatch',
  checkout_not_https: ({ field: path, code }) =>
    path === 'capabilities.checkout.endpoint' && code === 'not_https',
  ucp_private_key_published: ({ code }) => code === 'private_key',
} satisfies Record<string, (error: ManifestError) => boolean>
export type OwnGap = keyof typeof OWN_GAPS

/** An error that another rule reports. */
export const hasOwnGap = (error: ManifestError): boolean =>
  Object.values(OWN_GAPS).some((isOfGap) => isOfGap(error))
