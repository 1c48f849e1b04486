import type { Scope } from '../../db/access/scopes.ts'

/** A request of a signed-in browser. */
export interface OwnRequest {
  method: 'GET' | 'POST'
  path: string
  fields?: Record<string, string>
  scope: Extract<Scope, 'report:read' | 'report:write' | 'audit'>
}

/** What a domain has that its pages are asked for. */
interface OwnIds {
  property: string
  /** The newest first. */
  audits: readonly string[]
  walk: string
  /** Of its watch. */
  incident: string
  /** Of its watch: a feed. */
  channel: string
}

export const get = (path: string, scope: OwnRequest['scope']): OwnRequest => ({
  method: 'GET',
  path,
  scope,
})
export const post = (
  path: string,
  fields: Record<string, string>,
  scope: OwnRequest['scope'],
): OwnRequest => ({ method: 'POST', path, fields, scope })

/** Everything behind a sign-in, asked for one domain. */
export const ownRequests = (
  domain: string,
  { property, audits: [newest = ':id', earlier = ':id'], walk, incident, channel }: OwnIds,
): OwnRequest[] => [
  get(`/report?domain=${domain}`, 'report:read'),
  get(`/fetches?domain=${domain}`, 'report:read'),
  get(`/report?domain=${domain}&start=2026-11-01&end=2026-11-02&format=csv`, 'report:read'),
  post('/report/test-event', { domain }, 'report:write'),
  get(`/properties?domain=${domain}`, 'report:read'),
  get(`/properties/visits?domain=${domain}&id=${property}`, 'report:read'),
  get(`/properties/check?domain=${domain}&id=${property}`, 'report:read'),
  post('/properties', { domain }, 'report:write'),
  post(
    '/properties/change',
    { domain, id: property, origins: 'https://a.example' },
    'report:write',
  ),
  post('/properties/delete', { domain, id: 'prop_nothing' }, 'report:write'),
  get(`/audits?domain=${domain}`, 'audit'),
  get(`/audits/${domain}`, 'audit'),
  get(`/audits/${domain}/${newest}`, 'audit'),
  get(`/audits/${domain}/compare?before=${earlier}&after=${newest}`, 'audit'),
  get(`/audits/${domain}/standards`, 'audit'),
  post('/audits', { domain }, 'audit'),
  post(`/audits/${domain}/badge`, { shown: 'yes' }, 'audit'),
  get(`/access/${domain}`, 'audit'),
  post(`/access/${domain}`, { preview_password: 'open sesame' }, 'audit'),
  post(`/access/${domain}/delete`, {}, 'audit'),
  get(`/watches?domain=${domain}`, 'audit'),
  post('/watches', { domain }, 'audit'),
  get(`/watches/${domain}`, 'audit'),
  post(
    `/watches/${domain}/change`,
    { period: 'daily', severity: 'low', time_zone: 'UTC', check_catalog: 'yes' },
    'audit',
  ),
  post(`/watches/${domain}/pause`, { paused: 'no' }, 'audit'),
  post(`/watches/${domain}/look`, {}, 'audit'),
  post(`/watches/${domain}/status`, { shown: 'yes' }, 'audit'),
  post(`/watches/${domain}/channels`, { kind: 'feed', 'event_incident.opened': 'yes' }, 'audit'),
  post(`/watches/${domain}/channels/${channel}/test`, {}, 'audit'),
  post(`/watches/${domain}/channels/${channel}/on`, {}, 'audit'),
  get(`/watches/${domain}/incidents/${incident}`, 'audit'),
  get(`/walks?domain=${domain}`, 'audit'),
  post('/walks', { domain, intent: 'cheapest_variant' }, 'audit'),
  get(`/walks/${walk}`, 'audit'),
  get(`/walks/${walk}/state`, 'audit'),
  get(`/walks/${walk}/events`, 'audit'),
  get(`/walks/${walk}/export`, 'audit'),
  // As the routes are listed, it is a name.
  get(`/walks/${walk}/pictures/${walk === ':id' ? ':n' : '1'}`, 'audit'),
  post(`/walks/${walk}/stop`, {}, 'audit'),
  post('/shares', { domain, view: 'report', days: '7' }, 'report:read'),
  post('/shares', { domain, view: 'audit', days: '7' }, 'audit'),
  post('/shares/end', { domain, view: 'report', id: 'x' }, 'report:read'),
  post('/shares/end', { domain, view: 'audit', id: 'x' }, 'audit'),
  post(`/watches/${domain}/channels/${channel}/remove`, {}, 'audit'),
  post(`/watches/${domain}/delete`, { sure: 'yes' }, 'audit'),
]
