import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { describeInBrowser } from '../../../../shared/testing/browser.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { updateWatch } from '../../../db/watch/watches.ts'
import { cleanResult } from '../../../testing/app.ts'
import { hasChecks, hasIncident } from '../../../watch/testing/watched.ts'
import {
  addressOf,
  enableScripts,
  look,
  signIn,
  startWorld,
  type World,
} from '../../testing/world.ts'
import { watchShops } from './testing/portfolios.ts'

const HOSTILE = '<img src=x onerror=alert(1)> "boot" | `=1+1` [a](javascript:alert(1))'

describeInBrowser('watches', () => {
  let world: World
  let page: Page
  beforeAll(async () => {
    world = await startWorld()
    page = await world.browser.newPage()
  })
  afterAll(() => world?.stop())
  beforeEach(() => void world.complaints())

  /** What checks have found at a store that broke two hours ago. */
  async function breakDown(domain: string): Promise<void> {
    const { db } = world
    const now = new Date()
    await saveAudit(db, {
      ...cleanResult(domain, DEFAULT_CHECKS, now),
      platform: { id: 'shopify', name: 'Shopify', seen_by: ['the header X-ShopId'] },
    })
    await updateWatch(db, domain, {
      looked_at: new Date(now.getTime() - 4 * 60_000),
      next_at: new Date(now.getTime() + 41 * 60_000),
      late_at: new Date(now.getTime() + 47 * 60_000),
      outcome: 'seen',
      score: 58,
      grade: 'C',
    })
    const scores = Array.from({ length: 80 }, (_, day) =>
      day === 30 || day === 31 ? null : 82 + (day % 5) - (day > 76 ? 26 : 0),
    )
    await hasChecks(db, domain, { now, scores })
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
    await hasIncident(db, domain, {
      now,
      label: 'The catalog is empty',
      detail: `GET https://${domain}/ucp/catalog says ${HOSTILE}, expected at least one product.`,
      changes: [
        {
          request: `GET https://${domain}/ucp/catalog`,
          what: 'status',
          name: null,
          before: '200',
          after: '404',
        },
        {
          request: `GET https://${domain}/ucp/catalog`,
          what: 'field',
          name: '/products/0/title',
          before: HOSTILE,
          after: null,
        },
      ],
      steps: [
        {
          dialect: 'UCP over REST, 2026-08-25',
          intent: 'the cheapest variant',
          step: 'Find the product',
          found: 'The catalog answered 404.',
        },
      ],
    })
    await hasIncident(db, domain, {
      now,
      subject: 'robots_blocks_ai_agents',
      severity: 'high',
      label: 'robots.txt blocks AI shopping agents',
      detail: 'robots.txt says "Disallow: /" to GPTBot, expected none.',
      fix: 'Allow the agents of AI surfaces in robots.txt.',
      points: 9,
      is_known: true,
      well_at: null,
      first_seen_at: hoursAgo(80 * 24),
      opened_at: hoursAgo(80 * 24),
    })
    for (const days of [12, 30, 61]) {
      await hasIncident(db, domain, {
        now,
        subject: 'checkout_slow',
        severity: 'medium',
        label: 'The checkout answers slowly',
        points: 2,
        first_seen_at: hoursAgo(days * 24),
        opened_at: hoursAgo(days * 24),
        last_seen_at: hoursAgo(days * 24 - 40),
        closed_at: hoursAgo(days * 24 - 41),
      })
    }
    for (const [subject, severity, label] of [
      ['feed_stale', 'medium', 'The product feed is out of date'],
      ['return_policy_missing', 'medium', 'No return policy is declared'],
      ['dark_traffic_untracked', 'low', 'Visits from AI surfaces are not tracked'],
    ] as const) {
      await hasIncident(db, domain, {
        now,
        subject,
        severity,
        label,
        points: severity === 'low' ? 1 : 4,
        is_known: true,
        well_at: null,
        first_seen_at: hoursAgo(80 * 24),
      })
    }
    await hasIncident(db, domain, {
      now,
      subject: 'checkout_dry_run_failed',
      severity: 'critical',
      label: 'The checkout refuses a cart',
      first_seen_at: hoursAgo(20 * 24),
      opened_at: hoursAgo(20 * 24),
      last_seen_at: hoursAgo(18 * 24),
      closed_at: hoursAgo(18 * 24),
    })
  }

  /** From nothing to a watch with an incident and a public page. `see` checks each page. */
  async function walkThrough(
    page: Page,
    domain: string,
    see: (name: string) => Promise<void>,
  ): Promise<void> {
    await page.getByText('Watch your first domain').waitFor()
    await see('watches-empty')
    await page.getByLabel('Domain').fill('no shop')
    await page.getByRole('button', { name: 'Watch it' }).click()
    await page.getByText('Enter the address of a store').waitFor()
    await page.getByLabel('Domain').fill(`https://${domain}/products/boot`)
    await page.getByRole('button', { name: 'Watch it' }).click()
    await page.waitForURL(addressOf(`/watches/${domain}`))
    await page.getByText(`The first audit of ${domain} is still to come`).waitFor()
    await see('watch-new')

    await breakDown(domain)
    await page.reload()
    await page.getByText('Something broke 2 hours ago: the catalog is empty').waitFor()
    const first = page.locator('.to-do > li').first()
    expect(await first.innerText()).toContain('+24 points')
    expect(await page.locator('.to-do > li').nth(1).innerText()).toContain('On Shopify:')
    await see('watch-broken')

    await page.getByText('Change the settings').click()
    await page.getByLabel('How often to audit').selectOption('every six hours')
    await page.getByLabel('No alerts from').fill('22:00')
    await page.getByLabel('Tags').fill('client A, fashion')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter two different times of day').first().waitFor()
    await see('watch-settings')
    await page.getByLabel('until', { exact: false }).first().fill('07:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Audited every six hours.').waitFor()
    await page.getByText('not between 22:00 and 07:00').waitFor()

    await page.getByLabel('Where to').fill('http://hooks.slack.com/x')
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('Send a public https URL').waitFor()
    await page.getByLabel('Where to').fill('https://hooks.slack.com/services/T0/B0/secret9tQz')
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('The channel was added.').waitFor()
    expect(await page.content()).not.toContain('secret9tQz')
    await page.getByText('Add a channel').click()
    await page.getByLabel('How', { exact: true }).selectOption('Webhook')
    await page.getByLabel('Where to').fill('https://alerts.agency.example/hooks')
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('whsec_').waitFor()
    await page.getByText('Add a channel').click()
    await page.getByLabel('How', { exact: true }).selectOption('RSS feed')
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText(`/feeds/${domain}/`).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).first().click()
    await page.getByText('The test has not arrived').waitFor()
    await page.getByText('What was sent last').click()
    await see('watch-channels')
    await page.getByRole('button', { name: 'Remove' }).first().click()
    await page.getByText('https://hooks.slack.com/…').waitFor({ state: 'detached' })

    await first.getByRole('link', { name: 'The catalog is empty' }).click()
    await page.getByText('This has been open for 2 hours').waitFor()
    await page.getByText('Ticket as Markdown').click()
    await see('incident')
    const ticket = await page.locator('.ticket code').innerText()
    expect(ticket).toContain('## The catalog is empty')
    expect(ticket).toContain('status was `200`, is `404`')
    expect(await page.locator('img[src="x"]').count()).toBe(0)

    await page.getByRole('link', { name: domain, exact: true }).click()
    await page.getByRole('button', { name: 'Switch the status page on' }).click()
    await page.getByText('Anyone can see at').waitFor()
    await page.getByRole('link', { name: `https://aisle.example/status/${domain}` }).click()
    await page.getByText('AI agents cannot buy here at the moment').waitFor()
    await see('status')
    expect(await page.content()).not.toContain('onerror')

    await page.goto(addressOf('/watches'))
    await page.getByText('The store has an open incident').waitFor()
    await see('watches-1')
    expect(world.complaints()).toEqual([])
  }

  test('a watch is set up, shows what broke, and is published', async () => {
    const { key } = await world.createTestKey({ domains: ['first.example'] })
    await signIn(page, key, '/watches')
    await walkThrough(page, 'first.example', (name) => look(page, name))
  })

  test('the same without JavaScript', async () => {
    const { key } = await world.createTestKey({ domains: ['plain.example'] })
    await signIn(page, key, '/watches')
    const plain = await world.browser.newPage()
    await enableScripts(plain, false)
    await plain.goto(addressOf('/watches'))
    await walkThrough(plain, 'plain.example', async () => {})
    await plain.goto(addressOf('/watches/plain.example'))
    await plain.getByText('Delete this watch').click()
    await plain.getByLabel('Yes, stop watching').check()
    await plain.getByRole('button', { name: 'Delete the watch' }).click()
    await plain.getByText('Watch your first domain').waitFor()
    // Not in the browser, which may keep the page for a minute.
    expect((await world.app.request('/status/plain.example')).status).toBe(404)
    await plain.close()
  })

  test('twenty shops and two hundred are filtered, sorted and paged', async () => {
    const domains = await watchShops(world.db, 200, new Date())
    const { key } = await world.createTestKey({ domains: domains.slice(0, 20) })
    await signIn(page, key, '/watches')
    await page.getByText('3 of 20 stores have an open incident').waitFor()
    await look(page, 'watches-20')

    const agency = await world.createTestKey({ domains })
    await signIn(page, agency.key, '/watches')
    await page.getByText('30 of 200 stores have an open incident').waitFor()
    await page.getByText('Page 1 of 4').waitFor()
    await look(page, 'watches-200')
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await page.getByText('Page 2 of 4').waitFor()
    await page.getByRole('link', { name: /^Not seen/ }).click()
    await page.getByText('Could not be seen: The shop answered 403').first().waitFor()
    await page.getByLabel('Tag', { exact: true }).selectOption('client B')
    await page.getByLabel('Order').selectOption('Name')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/state=unseen.*tag=client\+B.*sort=name/)
    await look(page, 'watches-filtered')
    await page.getByLabel('Name or tag').fill('nothing of this name')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No watch matches these filters.').waitFor()
    expect(world.complaints()).toEqual([])
  })
})
