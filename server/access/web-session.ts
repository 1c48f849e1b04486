import { hash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { type ApiKey, findKey, isValid, withoutSecret } from '../db/access/keys.ts'
import { deleteWebSession, findWebSession, insertWebSession } from '../db/access/web-sessions.ts'
import type { Db } from '../db/connect.ts'
import type { ServerEnv } from '../http/env.ts'

interface SessionDeps {
  db: Db
  now: () => Date
  /** Where the world reaches this service, without a slash at the end. */
  baseUrl: string
}

// Unspecified: a browser stays signed in for half a day, from the moment it signs in.
const SECONDS = 12 * 3600

const NAME = 'aisle'

/** `__Host-` under https, so that neither other hosts nor http pages can set it (RFC 6265bis). */
const prefixOf = ({ baseUrl }: SessionDeps) =>
  baseUrl.startsWith('https:') ? ('host' as const) : undefined

const tokenOf = (c: Context, deps: SessionDeps) => getCookie(c, NAME, prefixOf(deps))

/**
 * Signs a browser in with a key, after signing it out: a session never changes its key. The cookie
 * does not contain the key; scripts cannot read it, and other sites' forms do not send it
 * (SameSite=Lax).
 */
export async function startWebSession(c: Context, deps: SessionDeps, key: ApiKey): Promise<void> {
  await forgetSession(c, deps)
  const token = randomBytes(32).toString('base64url')
  const created_at = deps.now()
  const expires_at = new Date(created_at.getTime() + SECONDS * 1000)
  await insertWebSession(deps.db, {
    token_sha256: hash('sha256', token),
    key_id: key.id,
    created_at,
    expires_at,
  })
  const prefix = prefixOf(deps)
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: SECONDS } as const
  if (prefix === undefined) setCookie(c, NAME, token, options)
  else setCookie(c, NAME, token, { ...options, secure: true, prefix })
}

/** The key that a browser signed in with, while it is valid; null for other browsers. */
export async function readWebSession(c: Context, deps: SessionDeps): Promise<ApiKey | null> {
  const token = tokenOf(c, deps)
  if (!token) return null
  const now = deps.now()
  const session = await findWebSession(deps.db, hash('sha256', token), now)
  const row = session && (await findKey(deps.db, session.key_id))
  return row && isValid(row, now) ? withoutSecret(row) : null
}

/**
 * The same for pages that are open to all: while the database is away, they are shown as to
 * somebody who is not signed in.
 */
export const findViewer = (c: Context, deps: SessionDeps): Promise<ApiKey | null> =>
  readWebSession(c, deps).catch(() => null)

/** Puts the key of a signed-in browser into `c.var`, and admits everybody. */
export const knowViewer = (deps: SessionDeps) =>
  createMiddleware<ServerEnv>(async (c, next) => {
    const key = await findViewer(c, deps)
    if (key !== null) c.set('key', key)
    await next()
  })

/** Deletes the session of the browser's cookie, if there is one. */
async function forgetSession(c: Context, deps: SessionDeps): Promise<void> {
  const token = tokenOf(c, deps)
  if (token) await deleteWebSession(deps.db, hash('sha256', token))
}

/** Signs a browser out: the session is deleted, and so is its cookie. */
export async function endWebSession(c: Context, deps: SessionDeps): Promise<void> {
  await forgetSession(c, deps)
  if (prefixOf(deps)) deleteCookie(c, NAME, { path: '/', secure: true, prefix: 'host' })
  else deleteCookie(c, NAME, { path: '/' })
}

/**
 * Admits signed-in browsers, with their key in `c.var`; sends the others to sign in first.
 * `answerForm` answers a form that such a browser sent instead; it is told where to sign in.
 */
export const requireWebSession = (
  deps: SessionDeps,
  answerForm?: (c: Context<ServerEnv>, signIn: string) => Promise<Response>,
) =>
  createMiddleware<ServerEnv>(async (c, next) => {
    const key = await readWebSession(c, deps)
    if (key === null) {
      const { origin, pathname: base } = new URL(deps.baseUrl)
      const root = base.replace(/\/$/, '')
      const { pathname, search } = new URL(c.req.url)
      const isForm = c.req.method !== 'GET'
      // A form that was sent cannot be repeated by a redirect: its page is shown again, which says
      // so.
      const wanted = isForm ? pageOf(c.req.header('Referer'), origin + root) : pathname + search
      const signIn = `${root}/sign-in?next=${encodeURIComponent(wanted)}`
      if (isForm && answerForm !== undefined) return answerForm(c, signIn)
      return c.redirect(isForm ? `${signIn}&unsent=1` : signIn, 303)
    }
    c.set('key', key)
    await next()
    return undefined
  })

/**
 * The page of ours that a form stood on, as `safeNext` takes it: browsers name it to its own
 * origin.
 */
const pageOf = (referer: string | undefined, baseUrl: string): string =>
  safeNext(referer?.startsWith(`${baseUrl}/`) ? referer.slice(baseUrl.length) : undefined)

/** Any origin that no link leads to: paths are resolved against it. */
const HERE = 'https://here.invalid'

/**
 * Where to go after signing in: a path of this service, never another site (an "open redirect",
 * https://cwe.mitre.org/data/definitions/601.html). The page of the shop for anything else.
 */
export function safeNext(next: string | undefined): string {
  const url = URL.parse(next ?? '', HERE)
  const path = url?.origin === HERE ? url.pathname + url.search : ''
  // Checked after it is resolved: `/.//evil.example` resolves to `//evil.example`, another host.
  return /^\/[^/]/.test(path) ? path : '/shop'
}
