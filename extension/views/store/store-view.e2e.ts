import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import type { WalkState } from '../../../shared/walk/stored-walk.ts'
import {
  FAILED_AT_FOURTH,
  STOPPED,
  shownWalk,
  UNDER_WAY,
} from '../../../shared/walk/testing/transcripts.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { auditShop } from '../../testing/scenarios.ts'
import {
  type ExtensionWorld,
  FAULTY_PRODUCT,
  listen,
  lookAt,
  SHOP_HOME,
  startExtension,
  turnTo,
  viewOf,
} from '../../testing/world.ts'

describeInBrowser('the store audit', () => {
  let world: ExtensionWorld
  let connected: Record<string, unknown>
  beforeAll(async () => {
    world = await startExtension({
      'data.example': () => Response.json({}),
    })
    const { url, key } = world.server
    connected = { onboarded: true, view: 'store', connection: { url, key } }
  })
  afterAll(() => world?.stop())
  beforeEach(async () => {
    world.mended.current = false
    await world.reset(connected)
  })

  const requestsOf = (app: Page) => {
    const bodies: unknown[] = []
    app.on('request', (request) => {
      if (request.url().includes('/api/')) bodies.push(request.postDataJSON())
    })
    return bodies
  }

  test('without a server it says how to connect one', async () => {
    await world.reset({ onboarded: true, view: 'store' })
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByText('what an AI agent would ask').waitFor()
    await lookAt(app, 'store-unconnected')
    await app.getByRole('button', { name: 'Connect a server' }).click()
    await app.getByLabel('Server address').waitFor()
  })

  test('nothing is sent before a click that says what is sent', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const sent = requestsOf(app)
    await app
      .getByText('Only the domain name shop.example and your key are sent to localhost')
      .waitFor()
    await lookAt(app, 'store-ask')
    expect(sent).toEqual([])
    await auditShop(viewOf(app))
    expect(sent).toEqual([{ domain: 'shop.example', dry_run: true }, { domain: 'shop.example' }])
    await app.getByRole('heading', { name: 'Routes to market' }).click()
    await app.locator('.vendor h3', { hasText: 'Google' }).click()
    await app.getByText('Checkout on Google').click()
    await lookAt(app, 'store-readiness')
  })

  test('page and server findings stand in one list, and the next audit tells what changed', async () => {
    const { app } = await world.openApp(FAULTY_PRODUCT)
    await app.getByRole('button', { name: /to audit faulty\.example/ }).click()
    await app.getByText('This is the first audit.').waitFor()
    // The page's own audit may end after the server's.
    const origins = async () =>
      [...new Set(await app.locator('.gap .tag:not([title])').allTextContents())].sort()
    await eventually(origins).toEqual(['Page and server', 'Server'])
    await lookAt(app, 'store-result')
    const ticket = app.locator('.ticket').first()
    await app.getByText('What was found').first().click()
    await app.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        document.documentElement.dataset.copied = text
      }
    })
    await ticket.getByRole('button', { name: 'Copy as Markdown' }).click()
    await ticket.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = (await app.locator('html').getAttribute('data-copied')) ?? ''
    expect(copied).toMatch(/^## .+\n\nHigh, \+\d+ · `\w+` at `faulty\.example`/)
    expect(copied).toContain(await app.locator('.evidence').first().innerText())
    await ticket.getByText('Ticket as Markdown').click()
    await lookAt(app, 'store-ticket')

    world.mended.current = true
    await app.getByRole('button', { name: 'Audit again' }).click()
    await app.getByText(/^The score rose by \d+\.$/).waitFor()
    await app.getByText(/^Fixed \(\d+\)$/).waitFor()
    await app.locator('summary', { hasText: 'Score history' }).click()
    expect(await app.locator('.history tbody tr').count()).toBe(2)
    await lookAt(app, 'store-history')

    const note = app.getByText('This passes on the server')
    const subject = app.locator('.gap', { has: app.locator('.gap', { has: note }) }).first()
    await subject.locator('> summary').click()
    const folded = subject.locator('.gap', { has: note }).first()
    await folded.locator('> summary').click()
    await folded.locator(note).waitFor()
    expect(Object.keys((await world.kept()).history as object)).toEqual([
      `${world.server.url} faulty.example`,
    ])
  })

  /** Answers stored results and holds new audits, until they are released. */
  async function holdAudits(app: Page) {
    const held: (() => Promise<void>)[] = []
    await app.route('**/api/audit', async (route) => {
      if (route.request().postDataJSON().dry_run) await route.continue()
      else held.push(() => route.continue())
    })
    const letGo = async () => {
      await eventually(() => held.length).toBe(1)
      await held.pop()?.()
    }
    return { letGo }
  }

  test('the stored result is there with its age while the shop is audited again', async () => {
    const first = await world.openApp(FAULTY_PRODUCT)
    await first.app.getByRole('button', { name: /to audit faulty\.example/ }).click()
    // The stored result is shown meanwhile, so a score alone does not mean that it is over.
    await first.app.getByText(/^Audit of faulty\.example is done/).waitFor({ state: 'attached' })
    await world.reset(connected)
    world.mended.current = true

    const { app } = await world.openApp(FAULTY_PRODUCT)
    const { letGo } = await holdAudits(app)
    const sent = requestsOf(app)
    await app.getByRole('button', { name: /to audit faulty\.example/ }).click()
    await app.getByRole('progressbar').waitFor()
    await app.locator('.running', { hasText: 'stored result of faulty.example, audited' }).waitFor()
    await app.getByText(/^Audited (now|.+ago)$/).waitFor()
    await lookAt(app, 'store-stored')
    expect(sent).toEqual([
      { domain: 'faulty.example', dry_run: true },
      { domain: 'faulty.example' },
    ])
    await letGo()
    await app.getByText(/^The score rose by \d+\.$/).waitFor()
    await app.getByRole('progressbar').waitFor({ state: 'detached' })
  })

  test('what is kept here is there at once, and nothing is sent', async () => {
    const first = await world.openApp(SHOP_HOME)
    await first.app.getByRole('button', { name: /to audit shop\.example/ }).click()
    await first.app.getByRole('button', { name: 'Audit again' }).waitFor()
    const { app } = await world.openApp(SHOP_HOME)
    const sent = requestsOf(app)
    await app.getByRole('button', { name: 'Audit again' }).waitFor()
    expect(sent).toEqual([])
  })

  test('what another server said is not shown as what this one says', async () => {
    const first = await world.openApp(SHOP_HOME)
    await auditShop(viewOf(first.app))
    const other = await listen(() => new Response(null, { status: 503 }))
    await world.keep({ connection: { url: other.url, key: world.server.key } })
    const { app } = await world.openApp(SHOP_HOME)
    for (const view of [first.app, app]) {
      await view.getByRole('button', { name: `Ask ${new URL(other.url).host} to audit` }).waitFor()
      expect(await view.getByRole('img', { name: /^Score/ }).count()).toBe(0)
    }
    await other.close()
  })

  test('a result that another window asked for is shown here as well', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.getByRole('button', { name: /to audit shop\.example/ }).waitFor()
    const second = await world.openApp(SHOP_HOME)
    await auditShop(viewOf(second.app))
    await app.getByRole('img', { name: /^Score 100 of 100/ }).waitFor()
  })

  test('what is deleted is on no screen any more', async () => {
    const { app, tabId } = await world.openApp(SHOP_HOME)
    const { end } = await serveWalks(app)
    await auditShop(viewOf(app))
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    end(FAILED_AT_FOURTH)
    await app.getByRole('button', { name: 'Walk again' }).waitFor()
    await eventually(() => world.badge(tabId)).toMatch(/\d/)
    const second = await world.openApp(SHOP_HOME)
    await turnTo(second.app, 'Options')
    await second.app.getByRole('button', { name: 'Delete the stored audits' }).click()
    await app.getByRole('button', { name: /to audit shop\.example/ }).waitFor()
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).waitFor()
    expect(await app.getByRole('img', { name: /^Score/ }).count()).toBe(0)
    await turnTo(app, 'Page')
    await app.getByText('This page has not been audited yet').waitFor()
    await lookAt(app, 'page-deleted')
    await eventually(() => world.badge(tabId)).toBe('')
    await app.getByRole('button', { name: 'Audit again' }).click()
    await app.getByRole('img', { name: /^This page/ }).waitFor()
  })

  test('a page that cannot be judged is a page of its shop all the same', async () => {
    const { app } = await world.openApp('https://data.example/')
    await app.getByRole('button', { name: /to audit data\.example/ }).waitFor()
    await turnTo(app, 'Manifest')
    await app.getByRole('button', { name: 'Validate the file of data.example' }).waitFor()
    await turnTo(app, 'Page')
    await app.getByText('This page cannot be audited').waitFor()
  })

  test('ages go on in a panel that stays open', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.clock.install()
    await app.reload()
    await auditShop(viewOf(app))
    // A busy machine may take a minute.
    const young = /^Audited (?:now|\d+ (?:second|minute)s? ago)$/
    await app.locator('#view-store').getByText(young).waitFor()
    await turnTo(app, 'Page')
    await app.locator('#view-page').getByText(young).waitFor()
    await app.clock.fastForward('05:00:00')
    await app.locator('#view-page').getByText('Audited 5 hours ago', { exact: true }).waitFor()
    await turnTo(app, 'Store')
    await app.locator('#view-store').getByText('Audited 5 hours ago', { exact: true }).waitFor()
  })

  test('an audit goes on while another page is looked at', async () => {
    const { app, page } = await world.openApp('https://one.example/')
    const { letGo } = await holdAudits(app)
    await app.getByRole('button', { name: /to audit one\.example/ }).click()
    await app.getByRole('progressbar').waitFor()
    await page.goto('https://two.example/')
    await app.getByRole('button', { name: /to audit two\.example/ }).waitFor()
    expect(await app.getByRole('progressbar').count()).toBe(0)
    await letGo()
    await page.goto('https://one.example/')
    await app.getByRole('img', { name: /^Score 100 of 100/ }).waitFor()
  })

  test('an audit under way counts the seconds and can be cancelled', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.route('**/api/audit', () => {})
    await app.getByRole('button', { name: /to audit shop\.example/ }).focus()
    await app.keyboard.press('Enter')
    // A busy machine may show no more than every other second.
    await app
      .getByRole('timer')
      .getByText(/^\d+:(?!00)\d\d$/)
      .waitFor()
    // The button is gone, and keyboard use goes on in its view.
    expect(await app.evaluate(() => document.activeElement?.id)).toBe('view-store')
    await app.getByRole('progressbar').waitFor()
    await app.locator('progress').evaluate((bar) => bar.setAttribute('value', '0.4'))
    await lookAt(app, 'store-running')
    await app.getByRole('button', { name: 'Cancel' }).click()
    await app.getByRole('button', { name: /to audit shop\.example/ }).waitFor()
  })

  /**
   * A server that walks, until the test ends the walk or the app stops it; a walk begins after
   * `begun`.
   */
  async function serveWalks(app: Page, begun = Promise.resolve()) {
    const asked: string[] = []
    let now: [WalkState, Transcript] = ['under_way', UNDER_WAY]
    await app.route('**/api/walk**', async (route) => {
      const request = route.request()
      asked.push(`${request.method()} ${request.postData() ?? ''}`)
      if (request.method() === 'POST') await begun
      if (request.method() === 'DELETE') now = ['cancelled', STOPPED]
      await route.fulfill({
        status: request.method() === 'POST' ? 202 : 200,
        headers: { 'Access-Control-Allow-Origin': '*' },
        json: shownWalk(...now),
      })
    })
    const end = (transcript: Transcript) => {
      now = ['ended', transcript]
    }
    return { asked, end }
  }

  test('a purchase is walked: asked for, under way, and what to tell the developer', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const { asked, end } = await serveWalks(app)
    await app.getByText('It opens checkouts and cancels each of them').waitFor()
    expect(asked).toEqual([])
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    await app.getByText('The walk is under way').waitFor()
    await app.getByText('Choose shipping, under way').waitFor()
    end(FAILED_AT_FOURTH)
    await app.getByText('22 of 23 purchases went as they should').waitFor()
    const [first, ...later] = asked
    expect(first).toBe('POST {"domain":"shop.example"}')
    expect(later.length).toBeGreaterThanOrEqual(2)
    expect(new Set(later)).toEqual(new Set(['GET ']))
    await lookAt(app, 'store-walk')
    await app.getByText('All of it as text, to send on').click()
    await app.getByRole('button', { name: 'Copy' }).first().click()
    await app.getByText('Copied').last().waitFor()
    expect(await app.evaluate('navigator.clipboard.readText()')).toContain('What to change: ')
    const page = app.getByRole('link', { name: 'Open its page' })
    expect(await page.getAttribute('href')).toBe(`${world.server.url}/walks/${FAILED_AT_FOURTH.id}`)
  })

  test('a walk is stopped at the server, and its end is shown', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const { asked } = await serveWalks(app)
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    await app.getByText('The walk is under way').waitFor()
    await lookAt(app, 'store-walk-live')
    await app.getByRole('button', { name: 'Stop the walk' }).click()
    await app.getByText('It was cancelled by its owner.').waitFor()
    expect(asked).toContain('DELETE ')
    await app.getByRole('button', { name: 'Walk again' }).waitFor()
  })

  test('a walk that is stopped before the server has answered is stopped there as well', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const begun = Promise.withResolvers<void>()
    const { asked } = await serveWalks(app, begun.promise)
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    await app.getByRole('button', { name: 'Stop the walk' }).click()
    await app.getByText('Stopping').waitFor()
    begun.resolve()
    await app.getByText('It was cancelled by its owner.').waitFor()
    expect(asked).toContain('DELETE ')
  })

  test('a walk goes on when its window is closed, and is stopped in the next', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const { asked } = await serveWalks(app)
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    await app.getByText('The walk is under way').waitFor()
    await app.reload()
    await app.getByText('The walk is under way').waitFor()
    await app.getByRole('button', { name: 'Stop the walk' }).click()
    await app.getByText('It was cancelled by its owner.').waitFor()
    // Its result is there the next time as well.
    await app.reload()
    await app.getByText('It was cancelled by its owner.').waitFor()
    expect(asked.filter((each) => each.startsWith('POST'))).toHaveLength(1)
  })

  test('a walk that another window started is shown, and can be stopped', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const { asked } = await serveWalks(app)
    await app.route('**/api/walk', (route) =>
      route.fulfill({
        status: 409,
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Expose-Headers': 'Location',
          Location: `${world.server.url}/api/walk/${UNDER_WAY.id}`,
        },
        json: { error: { code: 'walk_under_way', message: 'One is.', request_id: null } },
      }),
    )
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    await app.getByText('The walk is under way').waitFor()
    await app.getByRole('button', { name: 'Stop the walk' }).click()
    await app.getByText('It was cancelled by its owner.').waitFor()
    expect(asked).toContain('DELETE ')
  })

  test.each([
    [403, 'domain_not_allowed', 'The key does not allow this'],
    [409, 'walk_under_way', 'A walk of this store is under way'],
    [404, 'not_found', 'This server cannot walk purchases yet'],
    [503, 'unavailable', 'The server is busy'],
  ])('a walk that is refused with %i says so in words', async (status, code, words) => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.route('**/api/walk', (route) =>
      route.fulfill({
        status,
        headers: { 'Access-Control-Allow-Origin': '*' },
        json: { error: { code, message: 'This is why.', request_id: null } },
      }),
    )
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).click()
    await app.getByText(words).waitFor()
    await app.getByRole('button', { name: 'Walk a purchase in shop.example' }).waitFor()
  })

  test('a server that no agent could reach is not asked', async () => {
    const { app } = await world.openApp(`${world.server.url}/livez`)
    await app.getByText('Open a page of your store').first().waitFor()
  })
})
