import type { OpenEntry } from '../../../audit/walk/ledger.ts'

/** A note of an opening that nobody has answered yet. */
export const entryOf = (domain: string, key: string): OpenEntry => ({
  walk: 'walk',
  domain,
  key,
  call: { over: 'http', method: 'POST', url: `https://${domain}/checkout`, headers: {}, json: {} },
  route: {
    dialect: 'spec_ucp',
    endpoint: `https://${domain}/checkout`,
    version: null,
    capabilities: [],
    orders: null,
  },
  session: null,
  since: '2026-11-23T10:00:00.000Z',
})
