import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { costLines } from '../../../../shared/attribution/worth/words.ts'
import { linksTo } from '../../../../shared/audit/gap/links.ts'
import { ENGINE_VERSION } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { incidentTicket } from '../../../../shared/watch/incident-ticket.ts'
import { domainOfAddress } from '../../../../shared/web/address/domain.ts'
import { dayOf } from '../../../../shared/web/moment.ts'
import { requireDomain, requireScope } from '../../../access/auth.ts'
import { coveredBy } from '../../../access/covered-domains.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { loadIncidentCost } from '../../../attribution/worth/incident-cost.ts'
import { tenantOf } from '../../../db/access/keys.ts'
import { findAudit } from '../../../db/audit/audits.ts'
import { isUuid } from '../../../db/values.ts'
import { deleteChannel, troubledChannels } from '../../../db/watch/channels.ts'
import { findIncident, listIncidents, shownIncident } from '../../../db/watch/incidents.ts'
import { setStatusPage } from '../../../db/watch/status-pages.ts'
import { deleteWatch, findWatch, type WatchRow } from '../../../db/watch/watches.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { AUDIT_QUOTA, limitRequests } from '../../../http/rate-limit.ts'
import type { ChannelCaller } from '../../../watch/channels/channels.ts'
import { changeWatch, checkNow, createWatch, incidentUrl } from '../../../watch/set-up.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { typedForm } from '../typed-form.tsx'
import { ChannelsPanel, type ChannelsPanelProps, type ListedChannel } from './ChannelsPanel.tsx'
import { CHANNEL_FIELDS, readNewChannel, refusedForm } from './channel-form.ts'
import { readWatchChange, WATCH_FIELDS, type WatchSettingsForm } from './form.ts'
import { IncidentPage } from './IncidentPage.tsx'
import { readPortfolio, readPortfolioQuery, readWholePortfolio } from './portfolio.ts'
import { portfolioCsv } from './portfolio-csv.ts'
import { openGapOf, readWatch } from './read-watch.ts'
import { isVisible } from './visible.ts'
import { WatchesPage } from './WatchesPage.tsx'
import { WatchForm, type WatchFormProps } from './WatchForm.tsx'
import { UnwatchedPage, WatchPage } from './WatchPage.tsx'

const SCOPE = 'audit'
/** Deliveries shown per channel. */
const DELIVERIES_SHOWN = 5

/** The outcome of the last action, shown on the page of a watch. */
interface Happened extends Pick<ChannelsPanelProps, 'made' | 'tested' | 'wrong'> {
  /** The settings that were sent with an error. */
  settings?: WatchSettingsForm
}

/**
 * `GET /watches`, the portfolio of a key, and `/watches.csv`, the same as a file; `POST /watches`
 * watches a domain; `GET /watches/<domain>`, its page, with forms that change, pause and delete the
 * watch, audit now, and switch its public page; `/watches/<domain>/incidents/<id>`, one incident.
 */
export function watchPageRoutes(deps: PageDeps) {
  const { db, now, baseUrl, channels } = deps
  const site = siteOf(deps)
  const signedIn = requireWebSession(deps)
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const
  const count = limitRequests(db, AUDIT_QUOTA)
  const choose = domainChooser(deps, {
    path: '/watches',
    title: 'Watches',
    scopes: [SCOPE],
    offers: 'the page shows how it stands, and since when.',
  })

  const mayReadReport = (c: Context<ServerEnv>) => c.var.key.scopes.includes('report:read')
  const readerOf = (c: Context<ServerEnv>) => ({
    domains: c.var.key.domains,
    mayReadReport: mayReadReport(c),
  })
  const own = (c: Context<ServerEnv>) => coveredDomain(c, SCOPE, c.req.param('domain'))
  const place = (domain: string, part?: string) =>
    site.path(`/watches/${domain}${part === undefined ? '' : `#${part}`}`)

  async function showPortfolio(
    c: Context<ServerEnv>,
    wrong: Pick<WatchFormProps, 'typed' | 'problem'> = {},
  ): Promise<Response> {
    const reader = readerOf(c)
    const [portfolio, troubled] = await Promise.all([
      readPortfolio(deps, reader, readPortfolioQuery(c.req.query())),
      troubledChannels(db, coveredBy(reader.domains)),
    ])
    return renderPage(
      c,
      site,
      { title: 'Watches', status: wrong.problem === undefined ? 200 : 422 },
      <WatchesPage
        portfolio={portfolio}
        now={now()}
        troubled={troubled}
        add={{ domains: portfolio.unwatched, ...wrong }}
      />,
    )
  }

  async function showWatch(
    c: Context<ServerEnv>,
    watch: WatchRow,
    { settings, ...happened }: Happened = {},
  ): Promise<Response> {
    const { domain } = watch
    const at = now()
    const [view, listed] = await Promise.all([
      readWatch(db, watch, { now: at, mayReadReport: mayReadReport(c) }),
      listChannelsOf(domain, c.var.key),
    ])
    const isWrong = settings !== undefined || happened.wrong !== undefined
    return renderPage(
      c,
      site,
      {
        title: `Watch of ${domain}`,
        scripts: ['copy.js'],
        status: isWrong ? 422 : 200,
      },
      <WatchPage
        {...view}
        now={at}
        mayReadReport={mayReadReport(c)}
        wrong={settings}
        channels={
          <ChannelsPanel
            domain={domain}
            channels={listed}
            now={at}
            hasMail={channels.hasMail}
            mayReadReport={mayReadReport(c)}
            {...happened}
          />
        }
      />,
    )
  }

  /** Each with what was last sent to it. */
  async function listChannelsOf(domain: string, key: ChannelCaller): Promise<ListedChannel[]> {
    const listed = await channels.list(domain)
    return Promise.all(
      listed.map(async (channel) => ({
        ...channel,
        deliveries: (await channels.deliveries(channel, key)).slice(0, DELIVERIES_SHOWN),
      })),
    )
  }

  /** The page with the outcome of an action. */
  async function showAfter(c: Context<ServerEnv>, domain: string, happened: Happened) {
    const watch = await findWatch(db, domain)
    return watch === null ? showUnwatched(c, domain) : showWatch(c, watch, happened)
  }

  async function showUnwatched(c: Context<ServerEnv>, domain: string): Promise<Response> {
    const before = await listIncidents(db, domain, { limit: 1 })
    return renderPage(
      c,
      site,
      { title: `Watch ${domain}` },
      <UnwatchedPage
        domain={domain}
        hasHistory={before.length > 0}
        form={<WatchForm typed={domain} domains={[]} />}
      />,
    )
  }

  /** The result of a form; if the domain is no longer watched, the page that says so. */
  async function answerForm(
    c: Context<ServerEnv>,
    act: (domain: string, form: URLSearchParams) => Promise<Response>,
  ): Promise<Response> {
    const domain = own(c)
    const form = await readForm(c)
    try {
      return await act(domain, form)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'watch_not_found') {
        return showUnwatched(c, domain)
      }
      throw error
    }
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/watches', signedIn, async (c) => {
    requireScope(c, SCOPE)
    const typed = c.req.query('domain')
    if (typed === undefined) {
      // The chooser says how to get a key that covers a domain.
      const chosen = c.var.key.domains.length === 0 ? await choose(c) : null
      return chosen !== null && 'ask' in chosen ? chosen.ask : showPortfolio(c)
    }
    const read = domainOfAddress(typed)
    if ('problem' in read) return showPortfolio(c, { typed, problem: read.problem })
    requireDomain(c, read.domain)
    return c.redirect(place(read.domain), 303)
  })
  app.get('/watches.csv', signedIn, async (c) => {
    requireScope(c, SCOPE)
    const entries = await readWholePortfolio(deps, readerOf(c), readPortfolioQuery(c.req.query()))
    return c.body(portfolioCsv(entries), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="aisle-watches-${dayOf(now().getTime())}.csv"`,
    })
  })
  app.post('/watches', ...typedForm(deps, { shown: ['domain'] }), async (c) => {
    requireScope(c, SCOPE)
    const typed = (await readForm(c)).get('domain') ?? ''
    const read = domainOfAddress(typed)
    if ('problem' in read) return showPortfolio(c, { typed, problem: read.problem })
    const { domain } = read
    requireDomain(c, domain)
    // Already watched is fine.
    if ((await findWatch(db, domain)) === null) {
      const maker = { keyId: tenantOf(c.var.key), mayReadReport: mayReadReport(c) }
      await createWatch(deps, { domain }, maker).catch(unlessWatched)
    }
    return c.redirect(place(domain), 303)
  })
  app.get('/watches/:domain', signedIn, async (c) => {
    const domain = own(c)
    const watch = await findWatch(db, domain)
    return watch === null ? showUnwatched(c, domain) : showWatch(c, watch)
  })
  app.post('/watches/:domain/change', ...typedForm(deps, { shown: WATCH_FIELDS }), (c) =>
    answerForm(c, async (domain, form) => {
      const read = readWatchChange((name) => form.get(name), mayReadReport(c))
      if (read.change === undefined) {
        return showAfter(c, domain, { settings: read.form })
      }
      await changeWatch(deps, domain, read.change)
      return c.redirect(place(domain, 'settings'), 303)
    }),
  )
  app.post('/watches/:domain/pause', ...ownForm, (c) =>
    answerForm(c, async (domain, form) => {
      await changeWatch(deps, domain, { paused: form.get('paused') === 'yes' })
      return c.redirect(place(domain), 303)
    }),
  )
  app.post('/watches/:domain/look', ...ownForm, (c) =>
    answerForm(c, async (domain) => {
      await checkNow(deps, domain, () => count(c))
      return c.redirect(place(domain), 303)
    }),
  )
  app.post('/watches/:domain/status', ...ownForm, async (c) => {
    const domain = own(c)
    const shown = (await readForm(c)).get('shown') === 'yes'
    await setStatusPage(db, domain, { shown, now: now() })
    return c.redirect(place(domain, 'status'), 303)
  })
  app.post('/watches/:domain/delete', ...ownForm, async (c) => {
    const domain = own(c)
    if ((await readForm(c)).get('sure') !== 'yes') {
      throw new ApiError(
        422,
        'not_confirmed',
        'Tick the box next to the button to confirm that the watch is deleted.',
      )
    }
    // Already deleted is fine.
    await deleteWatch(db, domain, now())
    return c.redirect(site.path('/watches'), 303)
  })
  app.post('/watches/:domain/channels', ...typedForm(deps, CHANNEL_FIELDS), (c) =>
    answerForm(c, async (domain, form) => {
      const read = readNewChannel((name) => form.get(name))
      if (read.asked === undefined) return showAfter(c, domain, { wrong: read.form })
      try {
        const made = await channels.add(domain, read.asked, c.var.key)
        return await showAfter(c, domain, { made })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'watch_not_found') throw error
        return showAfter(c, domain, { wrong: refusedForm(read.values, error.message) })
      }
    }),
  )
  app.post('/watches/:domain/channels/:id/test', ...ownForm, (c) =>
    answerForm(c, async (domain) => {
      const id = c.req.param('id')
      const result = await channels.test({ domain, id }, c.var.key)
      return showAfter(c, domain, { tested: { id, result } })
    }),
  )
  app.post('/watches/:domain/channels/:id/on', ...ownForm, (c) =>
    answerForm(c, async (domain) => {
      await channels.change({ domain, id: c.req.param('id') }, { enabled: true }, c.var.key)
      return c.redirect(place(domain, 'channels'), 303)
    }),
  )
  app.post('/watches/:domain/channels/:id/remove', ...ownForm, async (c) => {
    const domain = own(c)
    await readForm(c)
    // Already deleted is fine.
    await deleteChannel(db, { domain, id: c.req.param('id') })
    return c.redirect(place(domain, 'channels'), 303)
  })
  app.get('/watches/:domain/incidents/:id', signedIn, async (c) => {
    const domain = own(c)
    const id = c.req.param('id')
    const row = isUuid(id) ? await findIncident(db, { domain, id }) : null
    if (row === null) {
      throw new ApiError(
        404,
        'not_found',
        'This incident is not stored: it was deleted, or the address is wrong. Open the list of watches.',
      )
    }
    if (!isVisible(row, mayReadReport(c))) requireScope(c, 'report:read')
    const incident = shownIncident(row)
    const [watch, audit, cost] = await Promise.all([
      findWatch(db, domain),
      findAudit(db, domain, DEFAULT_CHECKS, ENGINE_VERSION),
      mayReadReport(c) ? loadIncidentCost(db, incident, now()) : null,
    ])
    const gap = openGapOf(incident, { severity: watch?.severity ?? incident.severity }, audit)
    const ticket = incidentTicket({
      incident,
      url: incidentUrl(baseUrl, domain, id),
      docsUrl: incident.kind === 'gap' ? linksTo(baseUrl).docs(incident.subject) : null,
      remedy: gap.remedy,
      cost: cost === null ? [] : costLines(cost),
    })
    return renderPage(
      c,
      site,
      { title: `${incident.label}, ${domain}`, scripts: ['copy.js'] },
      <IncidentPage
        gap={gap}
        now={now()}
        ticket={ticket}
        mayReadReport={mayReadReport(c)}
        cost={cost}
      />,
    )
  })
  return app
}

/** Someone else may have started to watch it meanwhile. */
function unlessWatched(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'watch_exists')) throw error
}
