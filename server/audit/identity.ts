import { DEVELOPMENT_AGENT } from './probe/fetch/fetch.ts'

/**
 * How every request to a store says who asks: the User-Agent names this service, so that the owner
 * of a store can find out (RFC 9110, 10.1.5), and requests of official UCP link to our agent
 * profile.
 */
export const identityOf = (baseUrl: string): { userAgent: string; agentBase: string } => ({
  userAgent: `Aisle/1.0 (+${baseUrl})`,
  // Unspecified: stores read profiles over https alone. Without a public address of our own we name
  // one that exists in development only, and a store that insists says that it cannot read it.
  agentBase: baseUrl.startsWith('https://') ? baseUrl : DEVELOPMENT_AGENT,
})

/** The same for a walk: an owner who reads the store's log finds out why somebody fills baskets. */
export const walkIdentityOf = (baseUrl: string): ReturnType<typeof identityOf> => ({
  ...identityOf(baseUrl),
  userAgent: `Aisle/1.0 (test purchase for the owner of this store; +${baseUrl})`,
})
