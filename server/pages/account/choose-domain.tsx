import type { Context } from 'hono'
import type { JSX } from 'preact'
import { domainOfAddress } from '../../../shared/web/address/domain.ts'
import { shopOfAddress } from '../../../shared/web/address/local-shop.ts'
import { requireDomain, requireScope } from '../../access/auth.ts'
import { coveredBy } from '../../access/covered-domains.ts'
import type { Scope } from '../../db/access/scopes.ts'
import { lastReceived, listDomains } from '../../db/attribution/properties.ts'
import { listAllDomains } from '../../db/audit/audits.ts'
import type { Db } from '../../db/connect.ts'
import type { ServerEnv } from '../../http/env.ts'
import { renderPage } from '../render-page.tsx'
import { Link, type PageDeps, siteOf } from '../site.tsx'
import { DomainForm, type DomainFormProps } from './DomainForm.tsx'

/** The domains that a key's holder can choose from. */
export type DomainChoice = Pick<DomainFormProps, 'domains' | 'canType'>

interface Chooser {
  /** The target of the form. */
  path: string
  title: string
  /** Its holder may use the page; one of several will do. */
  scopes: readonly [Scope, ...Scope[]]
  /** What the page shows for a domain, as the end of "Enter the domain of your store: ". */
  offers: string
  /** Without a domain in the address, one is shown: that of the newest event. */
  takesFirst?: boolean
}

/**
 * The domain in `?domain=`, as typed or pasted; if it is missing or invalid, the page that asks for
 * it. Throws 403 if the key lacks the scope or does not cover the domain.
 */
export function domainChooser(
  deps: PageDeps,
  { path, title, scopes, offers, takesFirst }: Chooser,
) {
  const site = siteOf(deps)
  return async (
    c: Context<ServerEnv>,
  ): Promise<{ domain: string; choice: DomainChoice } | { ask: Response }> => {
    const { domains: own, scopes: has } = c.var.key
    requireScope(c, scopes.find((scope) => has.includes(scope)) ?? scopes[0])
    const named = await listDomains(deps.db, own, coveredBy(own))
    // Of an operator's key: what was audited has no property yet.
    const audited =
      takesFirst === true && own.includes('*') ? await listAllDomains(deps.db, MOST_COMPARED) : []
    const domains = [...new Set([...named, ...audited])]
    const choice = { domains, canType: own.includes('*') }
    const typed = c.req.query('domain') ?? (takesFirst ? await busiestOf(deps.db, domains) : null)
    const readAddress = deps.localShops === null ? domainOfAddress : shopOfAddress
    const read = typed == null ? null : readAddress(typed)
    if (read !== null && 'domain' in read) {
      requireDomain(c, read.domain)
      return { domain: read.domain, choice }
    }
    const form = { action: site.path(path), typed: typed ?? '', problem: read?.problem }
    const status = read === null ? 200 : 422
    return {
      ask: renderPage(
        c,
        site,
        { title, status },
        <ChooseDomain {...{ title, offers, choice }} {...form} />,
      ),
    }
  }
}

/** How many domains are asked for their newest event: of more, those after are not compared. */
const MOST_COMPARED = 100

/** The domain of the newest event, or else the first; null without any. */
async function busiestOf(db: Db, domains: readonly string[]): Promise<string | null> {
  const [first = null, ...more] = domains.slice(0, MOST_COMPARED)
  if (first === null || more.length === 0) return first
  const received = await lastReceived(db, [first, ...more])
  return [...received].toSorted(([, a], [, b]) => b.getTime() - a.getTime())[0]?.[0] ?? first
}

interface ChooseDomainProps extends Pick<DomainFormProps, 'action'> {
  title: string
  offers: string
  choice: DomainChoice
  typed: string
  problem: string | undefined
}

function ChooseDomain({ title, offers, choice, typed, ...form }: ChooseDomainProps): JSX.Element {
  return (
    <>
      <h1>{title}</h1>
      {choice.canType || choice.domains.length > 0 ? (
        <>
          <p class="lead">
            {choice.canType ? 'Enter' : 'Choose'} the domain of your store
            {choice.canType && ', such as shop.example'}: {offers}
          </p>
          <DomainForm domain={typed} {...choice} {...form} />
        </>
      ) : (
        <p class="lead">
          Your key does not cover any domain. Ask your operator for a key that covers yours:{' '}
          <Link to="/help">how to get one</Link>.
        </p>
      )}
    </>
  )
}
