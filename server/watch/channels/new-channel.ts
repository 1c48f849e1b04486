import type * as z from 'zod'
import { type ChannelKind, NewChannelShape } from '../../../shared/watch/channel.ts'
import { normaliseDomain } from '../../../shared/web/address/domain.ts'
import { isWebhookUrl } from '../../audit/probe/fetch/webhook.ts'

const A_URL = 'Send a public https URL on port 443, without user, password or fragment.'
const AN_ADDRESS = 'Send one mail address, such as alerts@shop.example.'
const NOTHING = 'Leave target out: a feed is fetched by its reader.'

/** RFC 5321, 4.5.3.1: limits of a whole address, and of the part before the @. */
const MOST_ADDRESS = 254
const MOST_LOCAL = 64

/**
 * Characters that need no quotes (RFC 5322, 3.2.3), so that a text is never more than one address.
 */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/** Body of `POST /api/watches/{domain}/channels`. */
export const NewChannel = NewChannelShape.superRefine(({ kind, target = '' }, context) => {
  const wrong = whatIsWrong(kind, target)
  if (wrong === null) return
  context.addIssue({ code: 'custom', path: ['target'], message: wrong })
})
export type NewChannel = z.output<typeof NewChannel>

function whatIsWrong(kind: ChannelKind, target: string): string | null {
  if (kind === 'feed') return target === '' ? null : NOTHING
  if (kind === 'mail') return mailAddress(target) === null ? AN_ADDRESS : null
  return isWebhookUrl(target) ? null : A_URL
}

/** The target in its normal form. */
export const targetOf = ({ kind, target = '' }: NewChannel): string =>
  (kind === 'mail' ? mailAddress(target) : null) ?? target

/** An address with its domain in normal form; null if it is not one. */
function mailAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const read = normaliseDomain(text.slice(at + 1))
  if (at < 1 || !LOCAL.test(local) || local.length > MOST_LOCAL || 'problem' in read) return null
  const address = `${local}@${read.domain}`
  return address.length > MOST_ADDRESS ? null : address
}
