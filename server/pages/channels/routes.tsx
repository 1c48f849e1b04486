import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ComponentChildren } from 'preact'
import { normaliseDomain } from '../../../shared/web/address/domain.ts'
import { setRequestDomain } from '../../db/connection/request-domain.ts'
import { type ChannelRow, newestNotices } from '../../db/watch/channels.ts'
import { ApiError } from '../../http/api-error.ts'
import { limitBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { answerKept, keepText } from '../../http/kept-text.ts'
import {
  confirmChannel,
  findConfirmation,
  findFeed,
  findSubscriptions,
  unsubscribeChannels,
} from '../../watch/channels/consent.ts'
import { FEED_ITEMS, feedPath, feedXml } from '../../watch/channels/feed.ts'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import { type PageDeps, siteOf } from '../site.tsx'

/** The address is a secret: it must not be sent to other sites, be indexed or be kept. */
const headers = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
}

const domainsOf = (channels: readonly ChannelRow[]) => [
  ...new Set(channels.map(({ domain }) => domain)),
]

/** The name of one domain, or how many there are. */
const namesOf = (domains: readonly string[]) =>
  domains.length === 1 ? domains.join() : `${domains.length} domains`

/**
 * `GET/POST /confirm/<token>` and `/unsubscribe/<token>`, which mails link and which need no
 * sign-in (`?domains=all`: of a digest of many, unsubscribes from all), and `GET
 * /feeds/<domain>/<token>.xml`.
 */
export function channelPageRoutes(deps: PageDeps) {
  const { db, now, baseUrl } = deps
  const site = siteOf(deps)
  // `no-referrer` would make browsers send `Origin: null` with the form.
  const formHeaders = { ...headers, 'Referrer-Policy': 'same-origin' }

  const show = (c: Context<ServerEnv>, title: string, content: ComponentChildren) =>
    renderPage(
      c,
      site,
      { title, headers: formHeaders },
      <>
        <h1>{title}</h1>
        {content}
      </>,
    )
  const showInvalid = (c: Context<ServerEnv>, hint: string) => {
    const title = 'This link is not valid'
    return renderPage(
      c,
      site,
      { title, status: 404, headers },
      <>
        <h1>{title}</h1>
        <p>It may be too old, or a part of it is missing. {hint}</p>
      </>,
    )
  }
  const showEnded = (c: Context<ServerEnv>, channels: readonly ChannelRow[]) =>
    show(
      c,
      'You are unsubscribed',
      <p>
        Alerts about {namesOf(domainsOf(channels))} no longer go to {channels[0]?.target}.
      </p>,
    )
  const subscriptionsOf = (c: Context<ServerEnv>, token: string) =>
    findSubscriptions(db, token, { ofAll: c.req.query('domains') === 'all' })
  const NO_CONFIRMATION =
    'Ask the person who wants to send you these mails to add your address again.'
  const NO_SUBSCRIPTION =
    'You may have unsubscribed already. Otherwise open the link in the mail again.'

  return (
    new OpenAPIHono<ServerEnv>()
      .get('/confirm/:token', async (c) => {
        const channel = await findConfirmation(db, c.req.param('token'), now())
        if (channel === null) return showInvalid(c, NO_CONFIRMATION)
        const { domain, target } = channel
        if (channel.confirmed_at !== null) {
          return show(
            c,
            'You get these mails',
            <p>
              Alerts about {domain} go to {target}. Each mail has a link to unsubscribe.
            </p>,
          )
        }
        return show(
          c,
          `Alerts about ${domain}`,
          <>
            <p>
              Someone who watches {domain} entered {target} for its alerts: mails that say when AI
              agents can no longer find or buy what it sells.
            </p>
            <form method="post">
              <button type="submit" class="button button-primary">
                Send them to me
              </button>
            </form>
            <p>If you do not want them, close this page: you get nothing.</p>
          </>,
        )
      })
      .post('/confirm/:token', refuseForeignForms(deps), limitBody, async (c) => {
        const token = c.req.param('token')
        const channel = await findConfirmation(db, token, now())
        if (channel === null) return showInvalid(c, NO_CONFIRMATION)
        await confirmChannel(db, channel, now())
        return c.redirect(site.path(`/confirm/${token}`), 303)
      })
      .get('/unsubscribe/:token', async (c) => {
        const channels = await subscriptionsOf(c, c.req.param('token'))
        const [first] = channels
        if (first === undefined) return showInvalid(c, NO_SUBSCRIPTION)
        const domains = domainsOf(channels.filter(({ confirmed_at }) => confirmed_at !== null))
        if (domains.length === 0) return showEnded(c, channels)
        return show(
          c,
          `No more alerts about ${namesOf(domains)}?`,
          <>
            <p>They go to {first.target} now.</p>
            {domains.length > 1 && (
              <>
                <ul>
                  {domains.map((domain) => (
                    <li key={domain}>{domain}</li>
                  ))}
                </ul>
                <p>To end those about one domain alone, use the link in an alert about it.</p>
              </>
            )}
            <form method="post">
              <button type="submit" class="button button-primary">
                Unsubscribe
              </button>
            </form>
          </>,
        )
      })
      // Mail programs send it themselves, from anywhere, without a sign-in (RFC 8058): the token is
      // enough.
      .post('/unsubscribe/:token', limitBody, async (c) => {
        const channels = await subscriptionsOf(c, c.req.param('token'))
        if (channels.length === 0) return showInvalid(c, NO_SUBSCRIPTION)
        await unsubscribeChannels(db, channels, now())
        return showEnded(c, channels)
      })
      .get('/feeds/:domain/:file{.+\\.xml}', async (c) => {
        const read = normaliseDomain(c.req.param('domain'))
        const token = c.req.param('file').slice(0, -'.xml'.length)
        const feed = 'domain' in read ? await findFeed(db, read.domain, token) : null
        if (feed === null) {
          throw new ApiError(
            404,
            'no_feed',
            'There is no feed at this address. Its owner may have deleted it, or a part of the address is missing.',
          )
        }
        const { domain } = feed
        setRequestDomain(domain)
        const notices = await newestNotices(db, feed, FEED_ITEMS)
        const feedUrl = baseUrl + feedPath(domain, token)
        const xml = feedXml({ domain, feedUrl, pageUrl: `${baseUrl}/watches/${domain}` }, notices)
        return answerKept(c, keepText(xml), {
          'Content-Type': 'application/rss+xml; charset=utf-8',
          // Revalidated each time, with 304 while nothing is new.
          'Cache-Control': 'private, no-cache',
          'X-Robots-Tag': 'noindex',
        })
      })
  )
}
