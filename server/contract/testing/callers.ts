import type { NewKey } from '../../access/make-key.ts'
import { revokeKey } from '../../db/access/keys.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { stripeSignature } from '../../store/psp/test/sender.ts'
import type { testApp } from '../../testing/app.ts'
import { filled } from './match.ts'
import type { Scene } from './scene.ts'
import type { Exchange } from './steps.ts'

/** The secret that signs the payment provider's webhooks. */
export const PSP_SECRET = 'whsec_of_the_contract'

/** The merchant's key at the store. */
export const ADMIN_KEY = 'the-admin-key'

type Hosted = Pick<Awaited<ReturnType<typeof testApp>>, 'db' | 'createTestKey'>

/**
 * The headers of a caller, from the line's words after "as". The default is a key of the hosted API
 * with every scope and domain, and at the store an agent.
 */
export function createCallers({ db, createTestKey }: Hosted, now: () => Date) {
  const makeKey = async (caller: string | null): Promise<string> => {
    const { key, id } = await createTestKey(caller === null ? {} : keyOf(caller, now()))
    if (caller === 'a revoked key') await revokeKey(db, id, now())
    return `Bearer ${key}`
  }

  return async (
    { caller, target }: Exchange,
    body: string,
    { variables, keys }: Scene,
  ): Promise<Record<string, string>> => {
    if (caller === 'a stranger') return {}
    if (target.startsWith('/api/')) {
      const key = keys.get(caller) ?? (await makeKey(caller && filled(caller, variables)))
      keys.set(caller, key)
      return { authorization: key }
    }
    switch (caller) {
      case null:
        return { authorization: `Agent ${variables.get('$row')}` }
      case 'another agent':
        return { authorization: `Agent other-than-${variables.get('$row')}` }
      case 'the merchant':
        return { authorization: `Bearer ${ADMIN_KEY}` }
      case 'the PSP':
        return { 'stripe-signature': stripeSignature(body, PSP_SECRET, now()) }
      case 'a forger':
        return { 'stripe-signature': stripeSignature(body, 'whsec_of_another', now()) }
      default:
        throw new Error(`The store knows no "${caller}".`)
    }
  }
}

/** The variation of a key: "a key for shop.example", "a key with report:read". */
function keyOf(caller: string, now: Date): Partial<NewKey> {
  if (caller === 'a revoked key') return {}
  if (caller === 'an expired key') return { expires_at: now }
  const [, preposition, what = ''] = /^a key (for|with) (\S+)$/.exec(caller) ?? []
  if (preposition === 'for') return { domains: [what] }
  const scope = SCOPES.find((each) => each === what)
  if (scope === undefined) throw new Error(`The service knows no "${caller}".`)
  return { scopes: [scope] }
}
