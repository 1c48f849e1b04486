import type { ManifestError } from '../../../manifest/fields.ts'
import { inspectManifest } from '../../../manifest/inspect.ts'
import { isOfficial } from '../../../manifest/ucp/profile.ts'
import type { Answer } from '../../../web/fetched.ts'
import { isRecord } from '../../../web/json.ts'
import { jsonOf, presenceOf } from '../../../web/presence.ts'
import type { ManifestSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, skip, type Verdict } from '../../rule.ts'

/** A manifest that does not answer has a gap of its own; rules about its content skip. */
export function whenPresent(manifest: ManifestSeen, audit: (answer: Answer) => Verdict): Verdict {
  const presence = presenceOf(manifest.fetched)
  return presence.is === 'present' ? audit(presence.answer) : skip(presence.why)
}

/** Whether `www.` serves a JSON object at the path: a mere page there is no manifest. */
export const isOnWww = ({ www }: ManifestSeen): boolean =>
  presenceOf(www.fetched).is === 'present' && isRecord(jsonOf(www))

/** Judges the document; one that cannot be read has its own gap, and is skipped here. */
export function whenRead(manifest: ManifestSeen, audit: (document: unknown) => Verdict): Verdict {
  return whenPresent(manifest, () =>
    manifest.json?.ok ? audit(manifest.json.value) : skip('the manifest is not valid JSON'),
  )
}

/** Passes when none of the document's errors is of this kind; official profiles are not judged. */
export function whenNone(
  manifest: ManifestSeen,
  domain: string,
  isOfKind: (error: ManifestError) => boolean,
): Verdict {
  return whenOfSpec(manifest, (document) =>
    noneOf(inspectManifest(document, domain).errors.filter(isOfKind)),
  )
}

/** The first eight errors as a gap; a broken generator may produce hundreds. */
export const noneOf = (errors: readonly ManifestError[]): Verdict =>
  errors.length === 0 ? pass() : gap(errors.slice(0, 8).map(sentence).join(' '))

/** Judges the manifest of the specification; an official profile has rules of its own. */
export function whenOfSpec(manifest: ManifestSeen, audit: (document: unknown) => Verdict): Verdict {
  return whenRead(manifest, (document) =>
    isOfficial(document)
      ? notApplicable('an official UCP profile is judged by its own rules')
      : audit(document),
  )
}

const sentence = ({ field: path, message }: ManifestError) => `${path}: ${message}`

/** The error of a capability that is not declared at all. */
export const isUndeclared = (capability: string) => (error: ManifestError) =>
  error.field === `capabilities.${capability}` && error.code === 'required'
/** The error of a manifest that names another domain. */
export const isMismatch = (error: ManifestError) => error.code === 'domain_mismatch'
/** Has a gap of its own in the checkout check. */
const isCheckoutNotHttps = (error: ManifestError) =>
  error.field === 'capabilities.checkout.endpoint' && error.code === 'not_https'

/** Errors that another rule reports: one mistake must not cost a store twice. */
const OWN_GAPS = [
  isUndeclared('product_catalog'),
  isUndeclared('checkout'),
  isMismatch,
  isCheckoutNotHttps,
  ({ code }: ManifestError) => code === 'private_key',
]

/** An error that another rule reports. */
export const hasOwnGap = (error: ManifestError): boolean =>
  OWN_GAPS.some((isOfKind) => isOfKind(error))
