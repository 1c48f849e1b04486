import type { JSX } from 'preact'
import { UNAGREED_DAYS } from '../../db/retention/kept.ts'
import { Link } from '../site.tsx'

/**
 * What the service stores about people, for those who must disclose it. Each sentence describes the
 * code.
 */
export function WhatIsKept({ retentionMonths }: { retentionMonths: number }): JSX.Element {
  return (
    <article class="prose">
      <p class="crumbs">
        <Link to="/help">Help</Link>
      </p>
      <h1>What is kept of visitors, buyers and you</h1>
      <h2>Visitors</h2>
      <p>
        The <Link to="/tools/snippet">tag</Link> sends nothing for visitors whom no AI surface sent.
        Of a visit that one did, it sends once: an id that it makes for this visit, the origin of
        the page that linked to you, the origin and the path of the page it landed on with its{' '}
        <code>utm_</code> parameters, the name of a click id without its value, and the AI surface
        that it took it for, with how sure it is. We keep the id, both origins,{' '}
        <code>utm_source</code>, <code>utm_medium</code>, <code>utm_campaign</code>, the name of the
        click id, and the path with <code>*</code> for parts that may identify a person. The network
        address and the User-Agent of the browser tell bots and floods, and are not kept.
      </p>
      <p>
        Of the logs of your server we count what AI agents asked for: per day the agent, the path as
        above and the status. Lines of people are dropped before anything is stored, and addresses
        serve to verify an agent and are not kept. The operator can forget all of it:{' '}
        <code>aisle report forget-logs</code>.
      </p>
      <h2>Buyers</h2>
      <p>
        Of an event that your server reports we keep what it sends, <code>properties</code> as a
        whole: send no name, mail address or address of a buyer. Three are the exception:{' '}
        <code>user_agent</code> is read and not kept, and of <code>attribution</code> and{' '}
        <code>affiliate_attribution</code> the campaign, the partner and its origin are kept, not
        the ids of clicks and the token.
      </p>
      <p>
        Visits and events are kept for {retentionMonths} whole months before the current one. What
        stays after that are the totals of each day, which name landing pages and products, and
        hashes of the ids of orders and refunds, so that each counts once. The operator can erase a
        session before (<code>aisle report forget</code>): of its orders and refunds the hashes stay
        as long as a visit does, so that they do not come back.
      </p>
      <p>
        A store on the reference merchant keeps the names and addresses of its buyers with their
        orders for good, and those of a checkout without an order until 30 days after it expired.
      </p>
      <h2>You</h2>
      <p>
        Of a key we keep its name, its domains, its last use and a hash, also when it is revoked; of
        a sign-in a hash until it ends. A mail address that a <Link to="/watches">watch</Link>{' '}
        alerts is kept until its channel or the watch is deleted; one whose holder has not agreed,
        or has unsubscribed, for {UNAGREED_DAYS} days. Who audits a store without a key is counted
        by a hash of the network address, for a day.
      </p>
    </article>
  )
}
