import { OpenAPIHono } from '@hono/zod-openapi'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { authenticate, createKeyring } from '../../../access/auth.ts'
import { parseKey } from '../../../access/key-format.ts'
import {
  endWebSession,
  readWebSession,
  safeNext,
  startWebSession,
} from '../../../access/web-session.ts'
import { touchKey } from '../../../db/access/keys.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import { clientAddress, networkOf } from '../../../http/client-address.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { SignInPage } from './SignInPage.tsx'

// Unspecified: from one network, one key may fail to sign in 20 times in 15 minutes, and all keys
// together 200 times, so that one person with a wrong key does not shut out the rest of an office.
// Keys cannot be guessed; this only limits the cost of attempts, so each process counts for itself
// and no address is stored.
const TRIES = 20
const TRIES_OF_NETWORK = 200
const MINUTES = 15

/** `GET` and `POST /sign-in`, `POST /sign-out`. */
export function signInRoutes(deps: PageDeps) {
  const { db, now, trustedProxies } = deps
  const site = siteOf(deps)
  const keys = createKeyring(db)
  const duration = MINUTES * 60
  const ofKey = new RateLimiterMemory({ points: TRIES, duration })
  const ofNetwork = new RateLimiterMemory({ points: TRIES_OF_NETWORK, duration })
  const title = 'Sign in'

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/sign-in', async (c) => {
    const next = safeNext(c.req.query('next'))
    const key = await readWebSession(c, deps)
    // The open pages are the same for everyone, so they offer it to those who are signed in as
    // well.
    if (key !== null) return c.redirect(site.path(next), 303)
    const isUnsent = c.req.query('unsent') !== undefined
    return renderPage(c, site, { title }, <SignInPage next={next} isUnsent={isUnsent} />)
  })
  app.post('/sign-in', refuseForeignForms(deps), limitBody, async (c) => {
    const form = await readForm(c)
    const next = safeNext(form.get('next') ?? undefined)
    const refuse = (status: 401 | 429, problem: string, headers = {}) =>
      renderPage(c, site, { title, status, headers }, <SignInPage {...{ next, problem }} />)

    const typed = (form.get('key') ?? '').trim()
    const network = networkOf(clientAddress(c, trustedProxies))
    const from = `${network} ${parseKey(typed)?.id ?? ''}`
    const waits = [await secondsToWait(ofKey, from), await secondsToWait(ofNetwork, network)]
    const wait = Math.max(...waits)
    if (wait > 0) {
      const whose = waits[1] === wait ? 'from your network' : 'with this key'
      const problem = `Too many attempts ${whose}. Try again in ${Math.ceil(wait / 60)} minutes.`
      return refuse(429, problem, { 'Retry-After': String(wait) })
    }
    try {
      const key = await authenticate(keys, `Bearer ${typed}`, now)
      // Counted first, so that parallel attempts cannot exceed the limit.
      await Promise.all([ofKey.reward(from), ofNetwork.reward(network)])
      await Promise.all([
        startWebSession(c, deps, key),
        touchKey(db, key, { now: now(), use: 'signing in' }),
      ])
      return c.redirect(site.path(next), 303)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return refuse(401, error.message)
      throw error
    }
  })
  app.post('/sign-out', refuseForeignForms(deps), async (c) => {
    await endWebSession(c, deps)
    return c.redirect(site.path('/'), 303)
  })
  return app
}

/** Counts an attempt; 0 if it is allowed, otherwise the seconds to wait. */
async function secondsToWait(limiter: RateLimiterMemory, from: string): Promise<number> {
  try {
    await limiter.consume(from)
    return 0
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
  }
}
