import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { packagesForTests } from '../../server/testing/registry.ts'
import type { Site } from '../../shared/testing/browser.ts'

/*
 * Trackers as people run them, each with a collector that records what it was asked to count.
 * PostHog's is installed for the test. No registry has Umami and Matomo as packages: with
 * TRACKERS=<folder> they are read from there. Tests of a missing one are skipped by name.
 */

/** What a tracker was asked to count on one page. */
export interface Count {
  page: string
  event: string
  details: Record<string, unknown>
}

const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }

const javascript = (code: string) =>
  new Response(code, { headers: { ...CORS, 'Content-Type': 'text/javascript' } })

/** PostHog's package is 60 MB, of which this is one file. */
const posthogPackages = await packagesForTests('posthog-js@1.449.2')

/** A tracker's script from the folder TRACKERS, or undefined. */
const given = (name: string): string | undefined => {
  const file = join(process.env.TRACKERS ?? '/nowhere', name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
const UMAMI = given('umami.js')
const MATOMO = given('matomo.js')

export const HAS = {
  posthog: posthogPackages !== null,
  umami: UMAMI !== undefined,
  matomo: MATOMO !== undefined,
}

/** The sites of all collectors, by host. They add their requests to `counts`. */
export function collectors(counts: Count[]): Record<string, Site> {
  const posthog: Site = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/static/array.js') {
      return javascript(
        readFileSync(join(posthogPackages ?? '', 'posthog-js/dist/array.js'), 'utf8'),
      )
    }
    // The settings of a project, which has none.
    if (pathname.endsWith('.js')) return javascript('')
    if (request.method === 'POST' && pathname === '/e/') {
      for (const { event, properties } of batchOf(Buffer.from(await request.arrayBuffer()))) {
        counts.push({ page: String(properties.$current_url), event, details: properties })
      }
    }
    return Response.json({}, { headers: CORS })
  }
  const plausible: Site = async (request) => {
    if (new URL(request.url).pathname === '/tracker.js') {
      const file = fileURLToPath(import.meta.resolve('@plausible-analytics/tracker'))
      return javascript(readFileSync(file, 'utf8'))
    }
    const details = JSON.parse(await request.text())
    counts.push({ page: details.u, event: details.n, details })
    return Response.json({}, { status: 202, headers: CORS })
  }
  const umami: Site = async (request) => {
    if (new URL(request.url).pathname === '/script.js') return javascript(UMAMI ?? '')
    if (request.method === 'POST') {
      const { payload } = JSON.parse(await request.text())
      // Older versions leave out the origin.
      const page = new URL(payload.url, 'https://shop.example').href
      counts.push({ page, event: payload.name ?? 'pageview', details: payload })
    }
    return Response.json({}, { headers: CORS })
  }
  const matomo: Site = async (request) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/matomo.js') return javascript(MATOMO ?? '')
    const sent = new URLSearchParams(`${search.slice(1)}&${await request.text()}`)
    const event = sent.has('action_name') ? 'pageview' : 'other'
    counts.push({ page: sent.get('url') ?? '', event, details: Object.fromEntries(sent) })
    return new Response(null, { status: 204, headers: CORS })
  }
  return {
    'posthog.example': posthog,
    'plausible.example': plausible,
    'umami.example': umami,
    'matomo.example': matomo,
  }
}

interface PostHogEvent {
  event: string
  properties: Record<string, unknown>
}

/** PostHog sends gzip or JSON, and a form from a page that is left. */
function batchOf(body: Buffer): PostHogEvent[] {
  const text = String(body[0] === 0x1f ? gunzipSync(body) : body)
  const form = new URLSearchParams(text).get('data')
  return JSON.parse(form ? String(Buffer.from(form, 'base64')) : text).batch
}

const scriptAt = (attributes: string) => `<script ${attributes}></script>`

/*
 * The parts of each on a page: `queue` is what a store pastes, `script` comes with it or later.
 * Robots, which trackers take a driven browser for, are not counted unless a page asks for it.
 */
export const POSTHOG = {
  queue: `<script>
    window.posthog = []
    posthog._i = []
    for (const name of ['capture', 'register', 'register_for_session'])
      posthog[name] = (...given) => posthog.push([name, ...given])
    posthog.__SV = 1
    posthog._i.push(['phc_shop',
      { api_host: 'https://posthog.example', opt_out_useragent_filter: true }, 'posthog'])
  </script>`,
  script: scriptAt('crossorigin src="https://posthog.example/static/array.js"'),
}
export const PLAUSIBLE = `<script>window.__plausible = true</script><script type="module">
  import { init } from 'https://plausible.example/tracker.js'
  init({ domain: 'shop.example', endpoint: 'https://plausible.example/api/event',
    customProperties: { author: 'Ada' } })
</script>`
export const UMAMI_TAG = scriptAt(
  'defer data-website-id="w" data-host-url="https://umami.example" src="https://umami.example/script.js"',
)
export const MATOMO_TAG = {
  queue: `<script>
    window._paq = [['trackPageView'], ['enableLinkTracking'],
      ['setTrackerUrl', 'https://matomo.example/matomo.php'], ['setSiteId', '1']]
  </script>`,
  script: scriptAt('src="https://matomo.example/matomo.js"'),
}

/** All of them on one page, as a store has them; nothing where one is missing. */
export const ALL = Object.values(HAS).every(Boolean)
  ? [POSTHOG.queue, POSTHOG.script, PLAUSIBLE, UMAMI_TAG, MATOMO_TAG.queue, MATOMO_TAG.script].join(
      '',
    )
  : ''
