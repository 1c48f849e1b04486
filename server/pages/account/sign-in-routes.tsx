import { OpenAPIHono } from '@hono/zod-openapi'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import type { Deps, ServerEnv } from '../../app.ts'
import { authenticate } from '../../auth.ts'
import { limitBody } from '../../body-limit.ts'
import { clientAddress, networkOf } from '../../client-address.ts'
import { rate_limits } from '../../db/tables.ts'
import { ApiError } from '../../errors.ts'
import { createKeyring } from '../../keyring.ts'
import { endWebSession, safeNext, startWebSession } from '../../web-session.ts'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import { siteOf } from '../site.tsx'
import { readForm } from '../tools/read-form.ts'
import { SignInPage } from './SignInPage.tsx'

// Unspecified: how often one address may try. A key cannot be guessed; this keeps the tries cheap.
const TRIES = 20
const TRIES_SECONDS = 900

/** `GET` and `POST /sign-in`, `POST /sign-out`. */
export function signInRoutes(deps: Deps) {
  const site = siteOf(deps)
  const keys = createKeyring(deps.db)
  const limiter = new RateLimiterDrizzle({
    storeClient: deps.db,
    schema: rate_limits,
    keyPrefix: 'sign_in',
    points: TRIES,
    duration: TRIES_SECONDS,
  })
  const title = 'Sign in'

  return new OpenAPIHono<ServerEnv>()
    .get('/sign-in', (c) =>
      renderPage(c, site, { title }, <SignInPage next={safeNext(c.req.query('next'))} />),
    )
    .post('/sign-in', refuseForeignForms(deps), limitBody, async (c) => {
      const form = await readForm(c)
      const next = safeNext(form.get('next') ?? undefined)
      const refuse = (status: 401 | 429, problem: string, headers = {}) =>
        renderPage(c, site, { title, status, headers }, <SignInPage {...{ next, problem }} />)
      const from = networkOf(clientAddress(c, deps.trustedProxies))
      const used = await limiter.consume(from).catch((refusal: unknown) => refusal)
      if (used instanceof RateLimiterRes && used.consumedPoints > TRIES) {
        const seconds = Math.max(1, Math.ceil(used.msBeforeNext / 1000))
        const problem = `There were too many tries from your address. Try again in ${Math.ceil(seconds / 60)} minutes.`
        return refuse(429, problem, { 'Retry-After': String(seconds) })
      }
      try {
        const key = await authenticate(keys, `Bearer ${(form.get('key') ?? '').trim()}`, deps.now)
        await startWebSession(c, deps, key)
        return c.redirect(site.path(next), 303)
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return refuse(401, error.message)
        throw error
      }
    })
    .post('/sign-out', refuseForeignForms(deps), async (c) => {
      await endWebSession(c, deps)
      return c.redirect(site.path('/'), 303)
    })
}
