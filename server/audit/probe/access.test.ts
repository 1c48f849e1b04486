import { Hono } from 'hono'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  BROWSER_USER_AGENT,
  NAMED_AGENTS,
  UNLISTED_USER_AGENT,
} from '../../../shared/audit/checks/well-known/ai-agents.ts'
import { auditHere } from '../testing/audit-here.ts'
import { ACCESS_REQUESTS } from './access.ts'
import type { Fetcher } from './fetch/fetch.ts'
import { fetcherTo } from './testing/fetcher.ts'

const PRODUCT = `<title>Lamp</title><script type="application/ld+json">{"@context":"https://schema.org",
  "@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":"20.00","priceCurrency":"EUR"}}</script>`
const HOME = '<title>Lamps</title><a href="/products/lamp">Lamp</a>'

let seen: { host: string; path: string; agent: string }[] = []
let running = 0
let mostAtOnce = 0

const shop = new Hono()
  .use(async (c, next) => {
    const agent = c.req.header('user-agent') ?? ''
    seen.push({ host: c.req.header('host') ?? '', path: c.req.path, agent })
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    await next()
    running -= 1
  })
  .get('/robots.txt', (c) =>
    c.req.header('host') === 'closed.example'
      ? c.text('User-agent: Claude-User\nUser-agent: ChatGPT-User\nDisallow: /products/')
      : c.text('User-agent: *\nAllow: /'),
  )
  .get('/', (c) => {
    const host = c.req.header('host') ?? ''
    return host === 'moved.example' ? c.redirect('https://www.moved.example/', 301) : c.html(HOME)
  })
  .get('/products/lamp', (c) => {
    const host = c.req.header('host')
    const isAgent = NAMED_AGENTS.some(({ userAgent }) => userAgent === c.req.header('user-agent'))
    if (isAgent && host === 'closes.example') return c.text('', 403)
    return isAgent && host === 'limits.example' ? c.text('', 429) : c.html(PRODUCT)
  })

let fetcher: Fetcher
beforeAll(async () => {
  fetcher = await fetcherTo(shop)
})
beforeEach(() => {
  seen = []
  mostAtOnce = 0
})

const audit = (domain: string, agents?: boolean) =>
  auditHere(
    { domain, checks: ['well_known'], ...(agents !== undefined && { agents }) },
    { fetcher },
  )
const asked = (path: string) =>
  seen.filter((each) => each.path === path && !each.agent.startsWith('Aisle'))
const inNames = () => seen.filter(({ agent }) => !agent.startsWith('Aisle')).length

test('nothing is asked under another name unless it is asked for', async () => {
  const result = await audit('shop.example')
  expect(inNames()).toBe(0)
  expect(result.skipped.map(({ id }) => id)).not.toContain('agents_refused')
})

test('each page is asked for once by each agent, between two browsers', async () => {
  const result = await audit('shop.example', true)
  for (const path of ['/', '/products/lamp']) {
    const names = asked(path).map(({ agent }) => agent)
    expect([names[0], names[1], names.at(-1)]).toEqual([
      BROWSER_USER_AGENT,
      UNLISTED_USER_AGENT,
      BROWSER_USER_AGENT,
    ])
    expect(names.slice(2, -1).toSorted()).toEqual(
      NAMED_AGENTS.map(({ userAgent }) => userAgent).toSorted(),
    )
  }
  expect(mostAtOnce).toBeLessThanOrEqual(2)
  expect(result.passed).toContain('agents_admitted_as_robots_says')
  expect(result.passed_notes.agents_admitted).toContain('ChatGPT-User')
})

test('those that get something else are asked again, a few of them', async () => {
  await audit('closes.example', true)
  expect(asked('/products/lamp')).toHaveLength(NAMED_AGENTS.length + 3 + 4 * 2)
  expect(inNames()).toBeLessThanOrEqual(ACCESS_REQUESTS)
})

test('agents that robots.txt keeps away are not asked, unless they may come all the same', async () => {
  await audit('closed.example', true)
  const names = asked('/products/lamp').map(({ agent }) => agent)
  expect(names.some((name) => name.includes('Claude-User'))).toBe(false)
  expect(names.some((name) => name.includes('ChatGPT-User'))).toBe(true)
  expect(names.some((name) => name.includes('Amzn-User'))).toBe(true)
})

test('a store that says 429 is left alone', async () => {
  const { gaps } = await audit('limits.example', true)
  const agents = asked('/products/lamp').length - 3
  expect(agents).toBeLessThan(NAMED_AGENTS.length)
  expect(gaps.map(({ id }) => id)).not.toContain('agents_refused')
})

test('the name stays the same where a redirect leads', async () => {
  await audit('moved.example', true)
  const there = seen.filter(({ host, path }) => host === 'www.moved.example' && path === '/')
  expect(there.filter(({ agent }) => agent.includes('Claude-User')).length).toBeGreaterThan(0)
})
