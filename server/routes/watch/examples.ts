import type { Incident } from '../../../shared/watch/incident.ts'
import type { Watch } from '../../../shared/watch/watch.ts'

export const WATCHED: Watch = {
  domain: 'shop.example',
  checks: ['well_known', 'catalog', 'checkout', 'schema', 'feed', 'attribution', 'entity'],
  walk: false,
  period: 'hourly',
  severity: 'high',
  quiet_hours: { from: '22:00', to: '07:00' },
  time_zone: 'Europe/Berlin',
  with_report: true,
  tags: ['fashion'],
  paused: false,
  created_at: '2026-11-25T09:00:00.000Z',
  next_look_at: '2026-11-25T11:17:42.000Z',
  looked_at: '2026-11-25T10:17:45.120Z',
  outcome: 'seen',
  score: 88,
  grade: 'A',
  why: null,
  url: 'https://aisle.example/watches/shop.example',
}

export const INCIDENT: Incident = {
  id: '0d9c8c5c-7f0e-4f8e-9d59-3a1c8f7c2b11',
  domain: 'shop.example',
  kind: 'gap',
  subject: 'catalog_empty',
  severity: 'critical',
  label: 'The catalog is empty',
  detail: 'GET https://shop.example/ucp/products lists 0 products; at least one was expected.',
  fix: 'Connect the catalog endpoint to the product data.',
  points: 31,
  changes: [
    {
      request: 'GET https://shop.example/ucp/products',
      what: 'field',
      name: '/pagination/total',
      before: '128',
      after: '0',
    },
  ],
  steps: [],
  known: false,
  well_at: '2026-11-25T09:17:44.000Z',
  first_seen_at: '2026-11-25T10:17:45.120Z',
  last_seen_at: '2026-11-25T10:18:46.003Z',
  opened_at: '2026-11-25T10:18:46.003Z',
  closed_at: null,
}
