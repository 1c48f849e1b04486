import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { GAP_RULES } from '../../../../shared/audit/checks/index.ts'
import { linksTo } from '../../../../shared/audit/gap/links.ts'
import { type AuditResult, ENGINE_VERSION } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { describeInBrowser } from '../../../../shared/testing/browser.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { cleanResult } from '../../../testing/app.ts'
import {
  addressOf,
  enableScripts,
  look,
  signIn,
  startWorld,
  type World,
} from '../../testing/world.ts'

const DOMAIN = 'shop.example'
const OTHER = 'a-rather-long-name-of-a-shop-that-sells-many-things.example'

const { docs } = linksTo('https://aisle.example')

const gapOf = (id: string, points: number) => {
  const rule = GAP_RULES.find(({ gap }) => gap === id)
  if (rule === undefined) throw new Error(id)
  const { check, severity, label, fix } = rule
  const detail = `https://${DOMAIN}/robots.txt says "Disallow: /" to <GPTBot>, expected none.`
  return { id, check, severity, label, detail, fix, fix_url: null, docs_url: docs(id), points }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const platform = {
  id: 'shopify' as const,
  name: 'Shopify',
  seen_by: ['the header X-ShopId', 'the script variable Shopify.theme'],
}

describeInBrowser('audits to come back to', () => {
  let world: World
  let page: Page
  beforeAll(async () => {
    world = await startWorld()
    const { db } = world
    const save = (domain: string, days: number, change: Partial<AuditResult>) =>
      saveAudit(db, { ...cleanResult(domain, DEFAULT_CHECKS, daysAgo(days)), ...change })
    await save(DOMAIN, 90, { score: 31, grade: 'D', engine_version: '4' })
    await save(DOMAIN, 40, {
      score: 52,
      grade: 'C',
      platform,
      gaps: [gapOf('robots_blocks_ai_agents', 9), gapOf('product_schema_missing', 12)],
    })
    await save(DOMAIN, 20, { score: 77, grade: 'B', checks: ['feed'] })
    await save(DOMAIN, 1, {
      score: 64,
      grade: 'B',
      platform,
      gaps: [
        gapOf('robots_blocks_ai_agents', 9),
        gapOf('dark_traffic_untracked', 4),
        gapOf('checkout_slow', 2),
      ],
    })
    await save(OTHER, 3, { score: 93, grade: 'A', engine_version: '4' })
    await createProperty(db, { domain: DOMAIN }, new Date())
    page = await world.browser.newPage()
    const { key } = await world.createTestKey({ domains: [DOMAIN, OTHER, 'new.example'] })
    const sent = await world.app.request('/api/report', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        event: 'ai_product_viewed',
        domain: DOMAIN,
        session_id: 's',
        source: 'acp',
      }),
    })
    expect(sent.status).toBe(200)
    await signIn(page, key, '/audits')
  })
  afterAll(() => world?.stop())
  beforeEach(() => void world.complaints())

  /** From the list to one audit, and to what changed. `see` looks at each page. */
  async function walkThrough(page: Page, see: (name: string) => Promise<void>): Promise<void> {
    await page.goto(addressOf('/audits'))
    const shop = page.getByRole('listitem').filter({ hasText: DOMAIN }).first()
    await shop.getByText('64 of 100').waitFor()
    await shop.getByText('12 up').waitFor()
    await shop.getByText('Last event').waitFor()
    await page.getByText('Not audited yet.').waitFor()
    await see('audits')
    await shop.getByRole('link', { name: 'robots.txt blocks AI shopping agents' }).click()
    await page.waitForURL(/\/audits\/shop\.example\/[0-9a-f-]{36}#gap-robots_blocks_ai_agents$/)
    await page.getByText('This store runs on Shopify, recognised by').waitFor()
    // The link opens what the gap is folded in.
    await page.locator('#gap-robots_blocks_ai_agents').getByText('What to do on Shopify').waitFor()
    await page.getByText('Passed (').click()
    await see('audit-stored')
    await page.getByRole('link', { name: 'All audits of shop.example' }).click()
    await page.getByRole('heading', { name: 'Score history' }).waitFor()
    await see('audit-history')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('The score rose by 12.').waitFor()
    await page.waitForLoadState()
    expect(await page.getByText('New (2)').count()).toBe(1)
    expect(await page.getByText('Fixed (1)').count()).toBe(1)
    expect(await page.getByText('Still open (1)').count()).toBe(1)
    await see('audits-compared')
    const earlier = page.getByLabel('Earlier audit')
    await earlier.selectOption({ label: await labelWith(earlier, 'engine version 4') })
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('The scores of these two do not compare').waitFor()
    await page.getByText(`engine version 4, the later one by ${ENGINE_VERSION}`).waitFor()
    await see('audits-not-comparable')
    await page.goto(addressOf(`/audits/${OTHER}`))
    await page.getByText('Our rules have changed since this audit').waitFor()
    await see('audit-earlier-checks')
    expect(world.complaints()).toEqual([])
  }

  test('a domain is found in the list, opened by its date, and compared', async () => {
    await walkThrough(page, (name) => look(page, name))
  })

  test('the same without JavaScript', async () => {
    const plain = await world.browser.newPage()
    await enableScripts(plain, false)
    await walkThrough(plain, async () => {})
    const GAP = '#gap-robots_blocks_ai_agents'
    await plain.goto(addressOf(`/audits/${DOMAIN}${GAP}`))
    expect(await plain.getByRole('button', { name: 'Copy as Markdown' }).count()).toBe(0)
    const ticket = plain.locator(`${GAP} .ticket`)
    await ticket.getByText('Ticket as Markdown').click()
    expect(await ticket.locator('code').innerText()).toContain('**On Shopify:**')
    await plain.close()
    // axe is a script: it checks a page whose own scripts did not arrive.
    const bare = await world.browser.newPage()
    await bare.route('**/assets/*.js', (route) => route.abort())
    await bare.goto(addressOf(`/audits/${DOMAIN}${GAP}`))
    await bare.locator(`${GAP} .ticket`).getByText('Ticket as Markdown').click()
    await look(bare, 'audit-ticket-plain')
    await bare.close()
  })

  test('a gap is copied as a ticket by one button', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(addressOf(`/audits/${DOMAIN}#gap-robots_blocks_ai_agents`))
    const ticket = page.locator('#gap-robots_blocks_ai_agents .ticket')
    await ticket.getByRole('button', { name: 'Copy as Markdown' }).click()
    await ticket.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^## robots\.txt blocks AI shopping agents\n/)
    expect(copied).toContain('Effort: up to an hour')
    expect(copied).toContain('<https://aisle.example/gaps/robots_blocks_ai_agents>')
  })

  test('a gap’s page says what to do on each platform', async () => {
    await page.goto(addressOf('/gaps/robots_blocks_ai_agents'))
    await page.getByText('What to do on PrestaShop').waitFor()
    await look(page, 'gap-by-platform')
  })
})

/** The text of the first option with these words. */
async function labelWith(choice: ReturnType<Page['getByLabel']>, words: string): Promise<string> {
  const labels = await choice.locator('option').allInnerTexts()
  const found = labels.find((label) => label.includes(words))
  if (found === undefined) throw new Error(`No option has ${words}: ${labels.join(' | ')}`)
  return found
}
