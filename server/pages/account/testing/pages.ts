import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { NewKey } from '../../../access/make-key.ts'
import { testApp } from '../../../testing/app.ts'

export const NOON = new Date('2026-11-21T12:00:00Z')
export const MINE = 'mine.example'
export const OTHER = 'other.example'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** The app at noon, or when `clock` says, and browsers that sign in with keys. */
export async function testPages(overrides: Parameters<typeof testApp>[0] = {}) {
  const clock = { now: NOON }
  const made = await testApp({ now: () => clock.now, ...overrides })
  const { app, createTestKey } = made

  let browsers = 0
  /** A browser with this cookie and its own address; it follows no redirect. */
  const browserWith = (cookie: string) => {
    browsers += 1
    const remoteAddress = `10.0.${browsers >> 8}.${browsers & 255}`
    const send = (path: string, init: RequestInit, headers: Record<string, string>) =>
      app.request(
        path,
        { ...init, headers: { Accept: HTML, Cookie: cookie, ...headers } },
        { incoming: { socket: { remoteAddress } } },
      )
    return {
      cookie,
      get: (path: string, headers: Record<string, string> = {}) => send(path, {}, headers),
      post: (
        path: string,
        fields: Record<string, string> | URLSearchParams,
        headers: Record<string, string> = {},
      ) =>
        send(
          path,
          { method: 'POST', body: new URLSearchParams(fields) },
          { 'Sec-Fetch-Site': 'same-origin', ...headers },
        ),
    }
  }
  const nobody = browserWith('')

  async function signIn(change: Partial<NewKey> = {}) {
    const { key, id } = await createTestKey(change)
    const answer = await browserWith('').post('/sign-in', { key, next: '' })
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { key, id, ...browserWith(cookie) }
  }
  return { ...made, clock, nobody, browserWith, signIn }
}

export type Browser = ReturnType<Awaited<ReturnType<typeof testPages>>['browserWith']>

/** The page of the audit that this answer leads to, once it has ended. */
export async function endOf(browser: Browser, begun: Response): Promise<Response> {
  const place = begun.headers.get('location') ?? ''
  for (;;) {
    const { state } = RunSeen.parse(await (await browser.get(`${place}/state`)).json())
    if (state !== 'under_way') return browser.get(place)
    await sleep(5)
  }
}

const RunSeen = z.object({ state: z.string() })

/** The address that a page's code block shows. */
export const sharedPath = async (answer: Response): Promise<string> =>
  /https:\/\/aisle\.example(\/shared\/\w+)/.exec(await answer.text())?.[1] ?? ''
