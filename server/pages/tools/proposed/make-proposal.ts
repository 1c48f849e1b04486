import type { Context } from 'hono'
import { type Proposal, proposalFor } from '../../../../shared/audit/proposals/proposal.ts'
import { PROPOSERS } from '../../../../shared/audit/proposals/proposers.ts'
import { domainOfAddress } from '../../../../shared/web/address/domain.ts'
import { accessOf } from '../../../access/site-access.ts'
import { ApiError } from '../../../http/api-error.ts'
import { callByStranger } from '../../../http/caller.ts'
import type { ServerEnv } from '../../../http/env.ts'
import type { PageDeps } from '../../site.tsx'
import type { limitFetches } from '../fetch-limit.ts'

/** What is made from a shop; or why nothing is; or a button that makes it. */
export type MadeFromShop =
  | { domain: string; is: 'made'; proposal: Proposal }
  | { domain: string; is: 'failed'; why: string }
  | { domain: string; is: 'offered' }

/**
 * The files that fix the shop of `?domain=`; null without one. They are made where a person opens
 * the page here, or by typing its address: a link on another site must not make a shop be read.
 */
export function proposalMaker(
  {
    readEvidence,
    siteAccess,
    trustedProxies,
  }: Pick<PageDeps, 'readEvidence' | 'siteAccess' | 'trustedProxies'>,
  countFetch: ReturnType<typeof limitFetches>,
) {
  return async (
    c: Context<ServerEnv>,
    kind: keyof typeof PROPOSERS,
  ): Promise<MadeFromShop | null> => {
    const read = domainOfAddress(c.req.query('domain') ?? '')
    if ('problem' in read) return null
    const { domain } = read
    if (!isOpenedHere(c)) return { domain, is: 'offered' }
    const { reads, propose } = PROPOSERS[kind]
    try {
      await countFetch(c)
      const access = await accessOf(siteAccess, c.get('key')?.domains ?? [], domain)
      const seen = await readEvidence({ domain, reads, access }, callByStranger(c, trustedProxies))
      const proposal = proposalFor(domain, propose({ domain }, seen), seen)
      return { domain, is: 'made', proposal }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { domain, is: 'failed', why: error.message }
    }
  }
}

/** By https://w3c.github.io/webappsec-fetch-metadata/, which old browsers do not send. */
const isOpenedHere = (c: Context): boolean =>
  c.req.header('Sec-Fetch-Dest') === 'document' &&
  ['same-origin', 'none'].includes(c.req.header('Sec-Fetch-Site') ?? '')
