import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { ComponentChildren } from 'preact'
import { accessOf } from '../../access/site-access.ts'
import { knowViewer } from '../../access/web-session.ts'
import { snippetTags } from '../../attribution/snippet/asset.ts'
import { limitBody, limitBodyTo } from '../../http/body-limit.ts'
import { callByStranger } from '../../http/caller.ts'
import type { ServerEnv } from '../../http/env.ts'
import type { KeptPages } from '../kept-pages.tsx'
import { type PageOptions, renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { FeedPage } from './feed/FeedPage.tsx'
import { type FeedFormState, readFeedForm } from './feed/form.ts'
import { readUpload } from './feed/read-upload.ts'
import { limitFetches } from './fetch-limit.ts'
import { judgeManifestForm, type ManifestState, startManifestForm } from './manifest/form.ts'
import { ManifestPage } from './manifest/ManifestPage.tsx'
import { findOwnProperty } from './own-property.ts'
import { type MadeFromShop, proposalMaker } from './proposed/make-proposal.ts'
import { RobotsPage } from './proposed/RobotsPage.tsx'
import { readForm } from './read-form.ts'
import { judgeSchemaForm, type SchemaState, startSchemaForm } from './schema/form.ts'
import { SchemaPage } from './schema/SchemaPage.tsx'
import { judgePage, readPageAddress, readSnippetForm, type SnippetState } from './snippet/form.ts'
import { SnippetPage } from './snippet/SnippetPage.tsx'
import { ToolsPage } from './ToolsPage.tsx'
import { judgePasted, startValidateForm, type ValidateState } from './validate/form.ts'
import { ValidatePage } from './validate/ValidatePage.tsx'

type C = Context<ServerEnv>

interface Shown {
  status?: 200 | 422
  made?: MadeFromShop | null
}

/** Nothing that is typed into a tool is stored, not even in the browser's cache. */
const NOT_KEPT = { 'Cache-Control': 'no-store' }

/** `/tools/…`: the targets of a gap's `fix_url`. Each works as a form without JavaScript. */
export function toolRoutes(deps: PageDeps, { answer }: KeptPages) {
  const {
    db,
    snippet,
    baseUrl,
    readPage,
    validateManifest,
    checkFeed,
    trustedProxies,
    siteAccess,
  } = deps
  const site = siteOf(deps)
  const countFetch = limitFetches(deps)
  const show = (c: C, options: Omit<PageOptions, 'headers'>, content: ComponentChildren) =>
    renderPage(c, site, { ...options, headers: NOT_KEPT }, content)

  /** What who is signed in gave for a domain of theirs. */
  const ownAccess = (c: C, domain: string) =>
    accessOf(siteAccess, c.get('key')?.domains ?? [], domain)
  const makeProposal = proposalMaker(deps, countFetch)
  const showManifest = (c: C, state: ManifestState, { status = 200, made = null }: Shown = {}) =>
    show(
      c,
      {
        title: 'Create the manifest',
        description: 'A form that generates the file for /.well-known/ucp.',
        scripts: ['manifest.js', 'copy.js'],
        status,
      },
      <ManifestPage state={state} made={made} />,
    )
  const showSchema = (c: C, state: SchemaState, { status = 200, made = null }: Shown = {}) =>
    show(
      c,
      {
        title: 'Create product markup',
        description: 'A form that generates JSON-LD for Product, Offer and Organization.',
        scripts: ['schema.js', 'copy.js'],
        status,
      },
      <SchemaPage state={state} made={made} />,
    )
  const showValidate = (c: C, state: ValidateState, status: 200 | 422 = 200) =>
    show(
      c,
      {
        title: 'Check a manifest',
        description: 'Validates a manifest by URL or as text.',
        scripts: ['validate.js'],
        status,
      },
      <ValidatePage state={state} />,
    )
  const showSnippet = (c: C, state: SnippetState, status: 200 | 422 = 200) =>
    show(
      c,
      {
        title: 'Set up the tag',
        description: 'The tag that marks visits from AI surfaces, and where to put it.',
        scripts: ['copy.js'],
        status,
      },
      <SnippetPage
        state={state}
        tags={state.id === null ? null : snippetTags(snippet, baseUrl, state.id)}
        isSignedIn={c.get('key') !== undefined}
      />,
    )

  const showFeed = (c: C, state: FeedFormState, status: 200 | 422 = 200) =>
    show(
      c,
      {
        title: 'Check a product feed',
        description: 'What each destination would leave out of a product feed, and why.',
        status,
      },
      <FeedPage state={state} />,
    )

  const routes = new OpenAPIHono<ServerEnv>()
  routes.use('/tools/*', refuseForeignForms(deps), limitForm, knowViewer(deps))
  routes.get('/tools', (c) =>
    answer(c, { title: 'Tools', description: 'Tools that fix gaps.', current: '/tools' }, () => (
      <ToolsPage />
    )),
  )
  routes.get('/tools/manifest', async (c) => {
    const made = await makeProposal(c, 'manifest')
    return showManifest(c, startManifestForm(c.req.query('domain')), { made })
  })
  routes.post('/tools/manifest', async (c) => {
    const form = await readForm(c)
    const state = judgeManifestForm((name) => form.get(name), true)
    if (state.file === null) return showManifest(c, state, { status: 422 })
    return form.get('action') === 'download' ? download(c, state.file) : showManifest(c, state)
  })
  routes.get('/tools/schema', async (c) => {
    const made = await makeProposal(c, 'markup')
    return showSchema(c, startSchemaForm(c.req.query('domain')), { made })
  })
  routes.get('/tools/robots', async (c) =>
    show(
      c,
      {
        title: 'Let AI agents in',
        description: 'The robots.txt of a store, with the AI agents that it keeps out let in.',
        scripts: ['copy.js'],
      },
      <RobotsPage made={await makeProposal(c, 'robots')} />,
    ),
  )
  routes.post('/tools/schema', async (c) => {
    const form = await readForm(c)
    const state = judgeSchemaForm((name) => form.get(name), true)
    return showSchema(c, state, { status: state.markup === null ? 422 : 200 })
  })
  routes.get('/tools/validate', (c) => {
    const domain = startManifestForm(c.req.query('domain')).values.domain
    const url = domain === '' ? '' : `https://${domain}/.well-known/ucp`
    return showValidate(
      c,
      startValidateForm((name) => (name === 'url' ? url : '')),
    )
  })
  routes.post('/tools/validate', async (c) => {
    const form = await readForm(c)
    const { values } = startValidateForm((name) => form.get(name))
    if (values.manifest !== '') {
      const state = judgePasted(values)
      return showValidate(c, state, state.validation === null ? 422 : 200)
    }
    const read = readPageAddress(values.url)
    if ('problem' in read) {
      return showValidate(c, { values, errors: { url: read.problem }, validation: null }, 422)
    }
    await countFetch(c)
    const validation = await validateManifest(
      read.url,
      callByStranger(c, trustedProxies),
      await ownAccess(c, new URL(read.url).hostname),
    )
    return showValidate(c, { values, errors: {}, validation })
  })
  routes.get('/tools/feed', (c) => showFeed(c, readFeedForm(new URLSearchParams())))
  routes.post('/tools/feed', async (c) => {
    await countFetch(c)
    const call = callByStranger(c, trustedProxies)
    const { fields, used } = await readUpload(c, async ({ name, bytes }, fields) => ({
      name,
      found: await checkFeed({ bytes }, readFeedForm(fields).destinations, call),
    }))
    const state = readFeedForm(fields)
    if (used !== null) {
      const { name, found } = used
      return 'problem' in found
        ? showFeed(c, { ...state, errors: { feed: found.problem } }, 422)
        : showFeed(c, { ...state, checked: { ...found, name } })
    }
    const { url } = state.values
    if (url === '') {
      const errors = { feed: 'Choose a file, or type the address of a feed.' }
      return showFeed(c, { ...state, errors }, 422)
    }
    const read = readPageAddress(url)
    if ('problem' in read) return showFeed(c, { ...state, errors: { url: read.problem } }, 422)
    const found = await checkFeed({ url: read.url }, state.destinations, call)
    return 'problem' in found
      ? showFeed(c, { ...state, errors: { url: found.problem } }, 422)
      : showFeed(c, { ...state, checked: { ...found, name: read.url } })
  })
  routes.get('/tools/snippet', async (c) => {
    const key = c.get('key') ?? null
    const domain = c.req.query('domain')
    const own = c.req.query('id') === undefined ? await findOwnProperty(db, key, domain) : null
    return showSnippet(
      c,
      readSnippetForm(
        (name) => (name === 'id' ? own?.id : undefined) ?? c.req.query(name),
        domain ?? own?.domain,
      ),
    )
  })
  routes.post('/tools/snippet', async (c) => {
    const form = await readForm(c)
    const state = readSnippetForm((name) => form.get(name), undefined)
    const read = readPageAddress(state.values.url)
    if ('problem' in read) {
      return showSnippet(c, { ...state, errors: { ...state.errors, url: read.problem } }, 422)
    }
    await countFetch(c)
    const access = await ownAccess(c, new URL(read.url).hostname)
    const page = await readPage(read.url, callByStranger(c, trustedProxies), access)
    return showSnippet(c, { ...state, check: judgePage(read.url, page, state.id) })
  })
  return routes
}

const FEED_KIB = 66 * 1024
const limitFeed = limitBodyTo(FEED_KIB)

/** A feed is counted while it is read: it need not declare its length. */
const limitForm: MiddlewareHandler = (c, next) => {
  if (!c.req.path.endsWith('/tools/feed')) return limitBody(c, next)
  return c.req.header('Content-Length') === undefined ? next() : limitFeed(c, next)
}

/** As bytes: a browser that knew the type would append an extension to the name. */
const download = (c: C, file: string): Response =>
  c.body(file, 200, {
    ...NOT_KEPT,
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment; filename="ucp"',
  })
