import { expect, test } from 'vitest'
import { ROUTES } from '../../access/testing/routes.ts'
import { testPages } from './testing/pages.ts'

/** Over the largest limit, that of events. */
const LARGE = 'a'.repeat(1024 * 1024 + 1)

const UNREAD = 'it reads no body'
const APART = 'it finds its property first: routes/sessions.db.test.ts'
/** Why the others answer differently. */
const OTHERS: Record<string, string> = {
  'DELETE /api/access/:domain': UNREAD,
  'DELETE /api/properties/:id': UNREAD,
  'DELETE /api/walk/:id': UNREAD,
  'DELETE /api/walk/:id/links/:link': UNREAD,
  'DELETE /api/watches/:domain': UNREAD,
  'DELETE /api/watches/:domain/channels/:id': UNREAD,
  'POST /api/watches/:domain/look': UNREAD,
  'POST /api/watches/:domain/channels/:id/test': UNREAD,
  'POST /sign-out': UNREAD,
  'POST /api/fetches': 'it takes 16 MiB of lines: routes/fetches/fetches.db.test.ts',
  'POST /tools/feed': 'it takes a feed: tools/feed/feed.db.test.ts',
  'POST /sessions': APART,
  'POST /:version{[0-9a-f]{16}}/sessions': APART,
}

const { app, signIn } = await testPages()
const { key, cookie } = await signIn({ domains: ['*'] })

const VALUES: Record<string, string> = {
  ':domain': 'mine.example',
  ':id': crypto.randomUUID(),
  ':link': crypto.randomUUID(),
  ':token': 'a'.repeat(43),
  ':version{[0-9a-f]{16}}': '0123456789abcdef',
}
const pathOf = (pattern: string) =>
  pattern.replace(/:\w+(\{\[.*?\]\{\d+\}\})?/g, (name) => VALUES[name] ?? name)

test.each(Object.keys(ROUTES).filter((route) => !route.startsWith('GET ')))(
  '%s: a body over the limit is 413, by limitBody or limitBodyTo',
  async (route) => {
    const [method = '', pattern = ''] = route.split(' ')
    const isApi = /^\/(api|mcp)/.test(pattern)
    const answer = await app.request(
      pathOf(pattern),
      {
        method,
        headers: {
          'Content-Type': isApi ? 'application/json' : 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
          'Content-Length': String(LARGE.length),
          ...(isApi ? { Authorization: `Bearer ${key}` } : { Cookie: cookie }),
        },
        body: LARGE,
      },
      { incoming: { socket: { remoteAddress: '10.0.0.1' } } },
    )
    expect(answer.status === 413).toBe(!(route in OTHERS))
  },
)
