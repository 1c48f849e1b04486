import { specFindings } from '../../../manifest/ucp/documentation.ts'
import { nameFindings } from '../../../manifest/ucp/names.ts'
import { readProfileOffer } from '../../../manifest/ucp/offer.ts'
import { keysField, readSigningKeys } from '../../../manifest/ucp/signing-keys.ts'
import { outdatedVersion } from '../../../manifest/ucp/version-outlook.ts'
import { gap, notApplicable, pass, type Rule, skip } from '../../rule.ts'
import { profileRule } from './official-rule.ts'

const ORDER = 'dev.ucp.shopping.order'

/** The first of them; a broken generator may give hundreds. */
const some = (sentences: readonly string[]): string => sentences.slice(0, 8).join(' ')

/** About what stands in the profile beside its offer to sell: version, names and keys. */
export const documentRules: readonly Rule[] = [
  profileRule(
    {
      // Low: only agents that hold a profile to its schema refuse it, and few do.
      gap: 'ucp_form_departs',
      passed: 'ucp_form',
      lostWith: ['well_known_invalid'],
      check: 'well_known',
      severity: 'low',
      label: 'The profile departs from its schema where most agents read on',
      fix: 'Leave out members instead of setting them to null, and write the form of the version that the profile names.',
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
      gap: 'ucp_version_outdated',
      passed: 'ucp_version_current',
      lostWith: ['well_known_invalid'],
      check: 'well_known',
      severity: 'medium',
      label: 'The profile is of a UCP version that most agents no longer speak',
      fix: 'Publish a profile of 2026-08-25 or 2026-04-08, and name the old one in supported_versions.',
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
      gap: 'ucp_names_unknown',
      passed: 'ucp_names_known',
      lostWith: ['well_known_invalid'],
      check: 'well_known',
      severity: 'medium',
      label: 'The profile names things that UCP does not have',
      fix: 'Write the names of dev.ucp as UCP does, and give each its own schema on ucp.dev.',
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
      // Low: only agents that hold each capability to its documentation drop it, and few do.
      gap: 'ucp_spec_addresses_wrong',
      passed: 'ucp_spec_addresses',
      lostWith: ['well_known_invalid', 'ucp_not_shoppable'],
      check: 'well_known',
      severity: 'low',
      label: 'Addresses of documentation are not where UCP wants them',
      fix: 'Use https in each spec; before 2026-08-25, put that of a capability on the domain that owns its name, such as ucp.dev.',
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
      gap: 'ucp_keys_unusable',
      passed: 'ucp_keys_usable',
      lostWith: ['well_known_invalid', 'ucp_private_key_published', 'ucp_webhook_keys_missing'],
      check: 'well_known',
      severity: 'medium',
      label: 'Agents cannot verify signatures by the keys of the profile',
      fix: 'Publish the public half of the key that signs, as a JWK of the curve P-256 with a kid of its own.',
      authority: 'UCP, Message Signatures; RFC 7517',
    },
    (_, { document, version }) => {
      const { listed, usable, faults, misplaced, isExposed } = readSigningKeys(document, version)
      const name = keysField(version)
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
      // Low: few stores publish keys at all, and an agent may still ask for the order.
      gap: 'ucp_webhook_keys_missing',
      passed: 'ucp_webhook_keys',
      lostWith: ['well_known_invalid', 'ucp_not_shoppable'],
      check: 'well_known',
      severity: 'low',
      label: 'Agents cannot verify order webhooks',
      fix: 'Sign order webhooks, and publish the public key in the profile.',
      authority: 'UCP, Order webhooks; UCP, Message Signatures',
    },
    ({ capabilities, shoppable, shoppable_reason }, { document, version }) => {
      if (!shoppable) return skip(shoppable_reason)
      if (!capabilities.includes(ORDER)) return notApplicable('the profile offers no orders')
      const { listed, misplaced } = readSigningKeys(document, version)
      return listed > 0 || misplaced !== null
        ? pass()
        : gap(
            `The profile offers ${ORDER}, whose webhooks have to be signed, but ${keysField(version)} has no key.`,
          )
    },
  ),
]
