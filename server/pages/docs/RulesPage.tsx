import type { JSX } from 'preact'
import { MAX_EVENTS } from '../../../shared/attribution/events.ts'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { formatNumber } from '../../../shared/view/format.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import {
  AUDIT_QUOTA,
  CHANNEL_TEST_QUOTA,
  CONFIRM_ADDRESS_QUOTA,
  CONFIRM_QUOTA,
  type Quota,
  VALIDATE_QUOTA,
  WALK_HOST_QUOTA,
  WALK_QUOTA,
} from '../../http/rate-limit.ts'
import { SCOPE_WORDS } from '../scope-words.ts'
import { Link } from '../site.tsx'

// Unspecified: the hosted service pushes only what watches find: a report or an audit is read when
// it is needed.
/** What is the same for all calls of the API. */
export function RulesPage(): JSX.Element {
  return (
    <article class="prose">
      <p class="crumbs">
        <Link to="/docs">API</Link>
      </p>
      <h1>Rules of all calls</h1>
      <h2 id="scopes">What a key may do</h2>
      <p>
        A key has scopes, and the domains that it covers. Send it as{' '}
        <code>Authorization: Bearer &lt;key&gt;</code>.
      </p>
      <Scopes />
      <h2 id="cors">Calls from a browser</h2>
      <p>
        Every path under /api can be called from any origin (CORS). Anyone can read a key in a web
        page, so do this only in internal tools. Pages of the store do not need a key: the{' '}
        <Link to="/tools/snippet">tag</Link> reports visits with its property id.
      </p>
      <h2 id="limits">Limits</h2>
      <Limits />
      <h2 id="errors">Errors</h2>
      <p>
        All error responses have the same body. <code>message</code> says what to do,{' '}
        <code>code</code> is for programs and is stable. If something fails on our side, send the
        operator the <code>request_id</code>.
      </p>
      <CodeBlock label="422" code={ERROR} />
      <p>
        400: the body is not valid JSON. 401: the key is missing, invalid, expired or revoked. 403:
        the key does not have the scope or the domain. 404, 405: no such path or method. 409: it
        cannot be done as things are, such as a second walk of a domain while one is under way. 413,
        415: the body is too large, or its Content-Type is not JSON. 422: a field is invalid, see
        details. 426: the package that sends this is too old. 429: too many requests, see
        Retry-After. 503: try again in a few seconds.
      </p>
      <h2 id="webhooks">Webhooks</h2>
      <p>
        Add a webhook to a <Link to="/watches">watch</Link>, and it receives when something breaks
        and when it works again, what orders show, and the week in short; each message is signed as
        Standard Webhooks describes. Nothing else is pushed: read the report or run an audit when
        you need the data. The webhooks of your payment provider go to your own server, which
        verifies their signature before it acts on them; report the outcome with{' '}
        <Link to="/docs/reportEvent">POST /api/report</Link>, after you have responded to the buyer:
        a failure of this call must never stop an order.
      </p>
    </article>
  )
}

function Scopes(): JSX.Element {
  return (
    <table class="whole-names">
      <caption class="sr-only">What each scope allows</caption>
      <thead>
        <tr>
          <th scope="col">Scope</th>
          <th scope="col">Allows</th>
        </tr>
      </thead>
      <tbody>
        {SCOPES.map((scope) => (
          <tr key={scope}>
            <th scope="row">
              <code>{scope}</code>
            </th>
            <td>{SCOPE_WORDS[scope]}.</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ERROR = JSON.stringify(
  {
    error: {
      code: 'invalid_request',
      message: 'Correct domain: see details.',
      details: [
        {
          field: 'domain',
          code: 'invalid',
          message: 'Send the domain without a scheme, such as "shop.example".',
        },
      ],
      request_id: '3f0c1d3e-3a6a-4b7e-9d0c-0a4b8f1e2c55',
    },
  },
  null,
  2,
)

function Limits(): JSX.Element {
  const { locale } = useLanguage()
  const perHour = ({ requests }: Quota) => `${formatNumber(requests, locale)} per hour and key`
  const rows = [
    [
      'POST /api/audit, also with dry_run; proposals; audits of a watch that you ask for',
      `${perHour(AUDIT_QUOTA)}, together`,
    ],
    [
      'POST /api/walk',
      `${perHour(WALK_QUOTA)}; ${formatNumber(WALK_HOST_QUOTA.requests, locale)} per hour and host of a checkout`,
    ],
    ['POST /api/manifest/validate, by url', perHour(VALIDATE_QUOTA)],
    ['Tests of channels', perHour(CHANNEL_TEST_QUOTA)],
    [
      'Mails that ask an address whether it wants alerts',
      `${perHour(CONFIRM_QUOTA)}, ${formatNumber(CONFIRM_ADDRESS_QUOTA.requests, locale)} per day and address`,
    ],
    ['POST /api/report', `${formatNumber(MAX_EVENTS, locale)} events or 1 MiB per call`],
    ['All other request bodies', '256 KiB'],
  ] as const
  return (
    <>
      <table>
        <caption class="sr-only">Limits by call</caption>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Limit</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([call, limit]) => (
            <tr key={call}>
              <th scope="row">{call}</th>
              <td>{limit}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        The headers <code>RateLimit</code>, <code>X-RateLimit-Remaining</code> and, with a 429,{' '}
        <code>Retry-After</code> say how many calls are left and when to try again.
      </p>
    </>
  )
}
