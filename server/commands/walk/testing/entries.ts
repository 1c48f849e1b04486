import type { OpenEntry } from '../../../audit/walk/ledger.ts'

/** A note of an opened checkout that has not been answered yet. */
export const entryOf = (domain: string, key: string): OpenEntry => ({
  walk: 'walk',
  domain,
  key,
  opening: {
    op: 'open',
    wanted: { lines: [], address: null, option: null, coupon: null, currency: 'USD' },
    key,
    dryRun: false,
  },
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
