/**
 * Every route of the service, and what keeps the data of one domain from the holders of others:
 * - `key`: an API key, asked for foreign domains in `tenancy.test.ts`
 * - `sign-in`: a signed-in browser, asked for foreign domains in `pages/account/access.test.ts`
 * - otherwise the reason why there is nothing to keep, or the test that shows it
 */
export const ROUTES: Record<string, 'key' | 'sign-in' | { because: string }> = {
  'POST /api/report': 'key',
  'GET /api/report': 'key',
  'GET /api/properties': 'key',
  'POST /api/walk': 'key',
  'GET /api/walk': 'key',
  'GET /api/walk/:id': 'key',
  'DELETE /api/walk/:id': 'key',
  'GET /api/walk/:id/events': 'key',
  'GET /api/walk/:id/export': 'key',
  'POST /api/walk/:id/links': 'key',
  'GET /api/walk/:id/links': 'key',
  'DELETE /api/walk/:id/links/:link': 'key',
  'GET /api/walk/shared/:token': { because: 'its token opens one walk: walk-links.test.ts' },
  'GET /api/walk/shared/:token/events': { because: 'its token opens one walk: walk-links.test.ts' },
  'GET /api/walk/shared/:token/export': { because: 'its token opens one walk: walk-links.test.ts' },
  'POST /api/audit': {
    because: 'it audits public pages: any key with the scope may name any domain',
  },
  'POST /api/manifest': { because: 'it stores nothing, and answers from the request alone' },
  'POST /api/manifest/validate': { because: 'it stores nothing, and reads public files' },

  'POST /sessions': {
    because: 'it writes to the domain of its property: beacon/check-beacon.test.ts',
  },
  'POST /:version{[0-9a-f]{16}}/sessions': { because: 'it is POST /sessions below a version' },
  'GET /attribution.js': { because: 'the same for everyone' },
  'GET /:version/attribution.js': { because: 'the same for everyone' },

  'GET /report': 'sign-in',
  'POST /report/test-event': 'sign-in',
  'GET /audits': 'sign-in',
  'POST /audits': 'sign-in',
  'GET /audits/:domain': 'sign-in',
  'POST /audits/:domain/badge': 'sign-in',
  'GET /walks': 'sign-in',
  'POST /walks': 'sign-in',
  'GET /walks/:id': 'sign-in',
  'GET /walks/:id/state': 'sign-in',
  'GET /walks/:id/events': 'sign-in',
  'GET /walks/:id/export': 'sign-in',
  'POST /walks/:id/stop': 'sign-in',
  'POST /shares': 'sign-in',
  'POST /shares/end': 'sign-in',
  'GET /shared/:token': { because: 'its token opens one domain: share/share.test.ts' },
  'GET /badge/:file{.+\\.svg}': { because: 'its owner published it: badge.test.ts' },
  'GET /sign-in': { because: 'it shows a form' },
  'POST /sign-in': { because: 'it starts the session of the key that it is given' },
  'POST /sign-out': { because: 'it ends the session of its own cookie' },

  'GET /': { because: 'the same for everyone' },
  'GET /help': { because: 'the same for everyone' },
  'GET /decisions': { because: 'the same for everyone' },
  'GET /docs': { because: 'the same for everyone' },
  'GET /llms.txt': { because: 'the same for everyone' },
  'GET /robots.txt': { because: 'the same for everyone' },
  'GET /openapi.json': { because: 'the same for everyone' },
  'GET /assets/:file': { because: 'the same for everyone' },
  'GET /extension': { because: 'the same for everyone' },
  'GET /extension/:file': { because: 'the same for everyone' },
  'GET /gaps': { because: 'the same for everyone' },
  'GET /gaps/:id': { because: 'the same for everyone' },
  'GET /metrics': { because: 'it names nobody, and is for the operator: routes/metrics.test.ts' },
  'GET /.well-known/ucp-agent': { because: 'the same for everyone' },
  'GET /.well-known/ucp-agent/2026-04-08': { because: 'the same for everyone' },
  'GET /.well-known/ucp-agent/2026-01-23': { because: 'the same for everyone' },
  'GET /livez': { because: 'the same for everyone' },
  'GET /readyz': { because: 'the same for everyone' },
  'GET /tools': { because: 'the same for everyone' },
  'GET /tools/manifest': { because: 'the same for everyone' },
  'POST /tools/manifest': { because: 'it stores nothing, and answers from the form alone' },
  'GET /tools/schema': { because: 'the same for everyone' },
  'POST /tools/schema': { because: 'it stores nothing, and answers from the form alone' },
  'GET /tools/validate': { because: 'the same for everyone' },
  'POST /tools/validate': { because: 'it stores nothing, and reads public files' },
  'GET /tools/snippet': { because: 'the same for everyone' },
  'POST /tools/snippet': { because: 'it stores nothing, and reads a public page' },
}

/** The routes that the table names for one proof. */
export const routesBy = (proof: 'key' | 'sign-in'): string[] =>
  Object.keys(ROUTES).filter((route) => ROUTES[route] === proof)
