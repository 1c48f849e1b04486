import { randomUUID } from 'node:crypto'

/** Older ones are dropped, as older payments are. */
const MOST_GRANTS = 10_000

/** Limits of a granted token; null if it has none. */
export interface Limits {
  /** In lower case. */
  currency: string
  maxAmount: number
  /** Unix seconds. */
  expiresAt: number | null
  merchantId: string | null
  sessionId: string | null
}

/** A token that an agent gives to the merchant: it pays once, within its limits. */
export interface Grant extends Limits {
  id: string
  /** Unix seconds. */
  created: number
  /** The test token that it behaves like. */
  token: string
  revokedAt: number | null
  /** The last payment that it was used for. */
  usedBy: string | null
}

/** What a token has to pay for. */
export interface Use {
  amount: number
  currency: string
  sessionId: string | null
}

interface GrantOptions {
  now: () => Date
  /** The merchant. */
  merchantId: string
  /** Whether a payment took money, or may still do so. */
  isLive: (paymentId: string) => boolean
}

export type Grants = ReturnType<typeof createGrants>

/** The granted tokens, by Stripe's agents (`spt_`) or by ACP's delegation (`vt_`). */
export function createGrants({ now, merchantId, isLive }: GrantOptions) {
  const grants = new Map<string, Grant>()
  const seconds = () => Math.floor(now().getTime() / 1000)

  // Unspecified: a payment that failed leaves its token free for the next try.
  const isUsed = ({ usedBy }: Grant) => usedBy !== null && isLive(usedBy)
  const isExpired = ({ expiresAt }: Grant) => expiresAt !== null && expiresAt <= seconds()

  return {
    make(prefix: 'spt' | 'vt', token: string, limits: Limits): Grant {
      const id = `${prefix}_${randomUUID().replaceAll('-', '')}`
      const grant = { ...limits, id, created: seconds(), token, revokedAt: null, usedBy: null }
      grants.set(id, grant)
      const [oldest] = grants.keys()
      if (grants.size > MOST_GRANTS && oldest !== undefined) grants.delete(oldest)
      return grant
    },

    find: (id: string): Grant | undefined => grants.get(id),

    /** The limit that a charge breaks, in words for the buyer; null if it breaks none. */
    breachOf(grant: Grant, use: Use): string | null {
      if (grant.merchantId !== null && grant.merchantId !== merchantId)
        return 'This payment was approved for another shop.'
      if (grant.sessionId !== null && grant.sessionId !== use.sessionId)
        return 'This payment was approved for another order.'
      if (grant.currency !== use.currency) return 'This payment was approved in another currency.'
      if (grant.maxAmount < use.amount) return 'The total is more than was approved.'
      if (grant.revokedAt !== null) return 'The approval of this payment was withdrawn.'
      if (isExpired(grant)) return 'The approval of this payment has expired.'
      if (isUsed(grant)) return 'The approval of this payment was already used.'
      return null
    },

    revoke(grant: Grant) {
      grant.revokedAt ??= seconds()
    },

    /** As Stripe's API shows a granted token. */
    view(grant: Grant): object {
      const reason =
        (grant.revokedAt !== null && 'revoked') ||
        (isUsed(grant) && 'consumed') ||
        (isExpired(grant) && 'expired') ||
        null
      return {
        id: grant.id,
        object: 'shared_payment.granted_token',
        created: grant.created,
        livemode: false,
        deactivated_at: reason === null ? null : (grant.revokedAt ?? seconds()),
        deactivated_reason: reason,
        usage_limits: {
          currency: grant.currency,
          max_amount: grant.maxAmount,
          expires_at: grant.expiresAt,
        },
      }
    },
  }
}
