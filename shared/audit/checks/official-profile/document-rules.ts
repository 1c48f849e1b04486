import { outdatedVersion } from '../../../manifest/dialect.ts'
import { specFindings } from '../../../manifest/ucp/documentation.ts'
import { nameFindings } from '../../../manifest/ucp/names.ts'
import { readProfileOffer } from '../../../manifest/ucp/offer.ts'
import { readSigningKeys } from '../../../manifest/ucp/signing-keys.ts'
import { ORDER } from '../../../protocols/ucp/names.ts'
import { UCP } from '../../../protocols/ucp/versions.ts'
import { gap, notApplicable, pass, type Rule, skip } from '../../rule.ts'
import { profileRule } from './official-rule.ts'

/** The first of them; a broken generator may give hundreds. */
const some = (sentences: readonly string[]): string => sentences.slice(0, 8).join(' ')

/** About what else stands in the profile than its offer to sell: version, names and keys. */
export const documentRules: readonly Rule[] = [
  profileRule(
    {
      id: 'ucp_form_departs',
      lostWith: ['well_known_invalid'],
      check: 'well_known',
      authority: 'UCP, Schema Validation',
    },
    ({ read: { overlooked } }) =>
      overlooked.length === 0
        ? pass()
        : gap(some(overlooked.map(({ field, message }) => `${field}: ${message}`))),
  ),
  profileRule(
    {
      // A business must answer version_unsupported to any version but its own and those that it
      // lists.
      id: 'ucp_version_outdated',
      lostWith: ['well_known_invalid'],
      check: 'well_known',
      authority: 'UCP, Protocol Version',
    },
    (_, { document, version }) => {
      const outdated = outdatedVersion(document, version)
      return outdated === null ? pass() : gap(outdated)
    },
  ),
  profileRule(
    {
      // Only a slip is certain: UCP may add names to a version that is out.
      id: 'ucp_names_unknown',
      lostWith: ['well_known_invalid'],
      check: 'well_known',
      authority: 'UCP, Capability Versions',
    },
    (_, { document, version }) => {
      const findings = nameFindings(readProfileOffer(document, version), version)
      const certain = findings.filter((each) => each.certain)
      if (certain.length > 0) return gap(some(certain.map(({ text }) => text)))
      return findings.length === 0 ? pass() : pass(some(findings.map(({ text }) => text)))
    },
  ),
  profileRule(
    {
      id: 'ucp_spec_addresses_wrong',
      lostWith: ['well_known_invalid', 'ucp_not_shoppable'],
      check: 'well_known',
      authority: 'UCP, Authority Binding',
    },
    (_, { document, version }) => {
      const offer = readProfileOffer(document, version)
      const all = [...offer.services, ...offer.capabilities, ...offer.handlers]
      if (all.every(({ spec }) => spec === null)) return notApplicable('no part names its spec')
      const findings = specFindings(offer, version)
      return findings.length === 0 ? pass() : gap(some(findings))
    },
  ),
  profileRule(
    {
      // Signatures by such a key never verify: webhooks are refused, and so are signed answers.
      id: 'ucp_keys_unusable',
      lostWith: ['well_known_invalid', 'ucp_private_key_published', 'ucp_webhook_keys_missing'],
      check: 'well_known',
      authority: 'UCP, Message Signatures; RFC 7517',
    },
    (_, { document, version }) => {
      const { listed, usable, faults, misplaced, isExposed } = readSigningKeys(document, version)
      const name = UCP.of(version).keys
      if (isExposed) return skip('a key is published with its private part, and has to be replaced')
      if (listed === 0 && misplaced !== null) {
        return gap(`The keys stand in ${misplaced}, but agents of ${version} read ${name}.`)
      }
      if (listed === 0) return notApplicable('the profile publishes no keys')
      if (faults.length > 0) return gap(some(faults))
      return usable > 0
        ? pass()
        : gap(
            `None of the ${listed} keys in ${name} is for verifying, on a curve that agents know.`,
          )
    },
  ),
  profileRule(
    {
      id: 'ucp_webhook_keys_missing',
      lostWith: ['well_known_invalid', 'ucp_not_shoppable'],
      check: 'well_known',
      authority: 'UCP, Order webhooks; UCP, Message Signatures',
    },
    ({ capabilities, shoppable, shoppable_reason }, { document, version }) => {
      if (!shoppable) return skip(shoppable_reason)
      if (!capabilities.includes(ORDER)) return notApplicable('the profile offers no orders')
      const { listed, misplaced } = readSigningKeys(document, version)
      return listed > 0 || misplaced !== null
        ? pass()
        : gap(
            `The profile offers ${ORDER}, whose webhooks have to be signed, but ${UCP.of(version).keys} has no key.`,
          )
    },
  ),
]
