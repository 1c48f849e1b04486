import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import {
  Channel,
  ChannelChange,
  ChannelDelivery,
  ChannelTest,
  MAX_CHANNELS,
  MadeChannel,
} from '../../../shared/watch/channel.ts'
import { Domain } from '../../../shared/web/address/domain.ts'
import { requireDomain, requireKey } from '../../access/auth.ts'
import type { Deps } from '../../deps.ts'
import { limitJsonBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { requestSchema } from '../../http/validation.ts'
import { NewChannel } from '../../watch/channels/new-channel.ts'
import { component, jsonBody, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'

const TAGS = ['Watch']
const SECURITY = [{ key: ['audit'] }]

const NO_WATCH = 'The domain is not watched (`watch_not_found`).'
const NO_CHANNEL =
  'The domain is not watched, or has no such channel (`watch_not_found`, `channel_not_found`).'
const READ = [401, 403, 404, 405, 422, 500, 503] as const

const OfDomain = z.object({ domain: Domain.describe('The watched domain') })
const ById = OfDomain.extend({ id: z.string().describe('The id of the channel') })

const EXAMPLE: Channel = {
  id: '4fK2mXq8',
  domain: 'shop.example',
  kind: 'slack',
  target: 'https://hooks.slack.com/…9tQz',
  events: [
    'incident.opened',
    'incident.closed',
    'signal',
    'digest',
    'access.ending',
    'channel.off',
  ],
  state: 'on',
  created_at: '2026-11-20T10:00:00.000Z',
  last_ok_at: '2026-11-21T09:12:40.000Z',
  failing_since: null,
  last_error: null,
  off_since: null,
  off_because: null,
}
const DELIVERY: ChannelDelivery = {
  id: '3c9d1f5a-7f0b-4d0e-9a55-0d6c2f1e8b47',
  event: 'incident.opened',
  title: 'Agents can no longer open a checkout at shop.example',
  state: 'delivered',
  created_at: '2026-11-21T09:12:39.000Z',
  delivered_at: '2026-11-21T09:12:40.000Z',
  next_at: null,
  tries: 1,
  status: 200,
  error: null,
}

/** The channels of a watched domain: listed, created, changed, tested and deleted. */
export function watchChannelRoutes(deps: Deps) {
  const { channels } = deps
  const byKey = requireKey(deps, 'audit')
  const common = { tags: TAGS, security: SECURITY }
  const Shown = component('WatchChannel', Channel)
  const params = requestSchema(ById)

  const list = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches/{domain}/channels',
    operationId: 'watchChannels',
    summary: 'The channels of a watched domain',
    middleware: byKey,
    request: { params: requestSchema(OfDomain) },
    responses: {
      200: {
        description: 'Oldest first',
        content: jsonContent(
          z.object({ channels: z.array(Shown).describe('Where its alerts go') }),
          { channels: [EXAMPLE] },
        ),
      },
      ...errorResponses(READ, { ...NEEDS_DOMAIN, 404: NO_WATCH }),
    },
  })

  const create = createRoute({
    ...common,
    method: 'post',
    path: '/api/watches/{domain}/channels',
    operationId: 'createWatchChannel',
    summary: 'Send the alerts of a watched domain somewhere',
    description: `A webhook is signed as Standard Webhooks has it; its secret is shown in this answer alone, as is the address of a feed. A mail address gets nothing until its holder has confirmed it by a link that is mailed to it. A domain has at most ${MAX_CHANNELS} channels.`,
    middleware: [byKey, limitJsonBody] as const,
    request: {
      params: requestSchema(OfDomain),
      body: jsonBody('NewWatchChannel', NewChannel, { kind: 'feed' }),
    },
    responses: {
      200: {
        description: 'The channel, with what is shown once',
        content: jsonContent(component('MadeWatchChannel', MadeChannel), {
          ...EXAMPLE,
          kind: 'webhook',
          target: 'https://hooks.shop.example/aisle',
          secret: 'whsec_…',
          feed_url: null,
        }),
      },
      ...errorResponses([400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503], {
        ...NEEDS_DOMAIN,
        404: NO_WATCH,
        409: `The domain has ${MAX_CHANNELS} channels, or the service has no mail server (\`too_many_channels\`, \`no_mail_server\`).`,
        429: 'Too many mail addresses were entered: see `Retry-After` (`rate_limited`).',
        503: 'Temporarily unavailable: see `Retry-After` (`database_unavailable`, `busy`, `mail_not_sent`).',
      }),
    },
  })

  const change = createRoute({
    ...common,
    method: 'patch',
    path: '/api/watches/{domain}/channels/{id}',
    operationId: 'changeWatchChannel',
    summary: 'Change which alerts a channel gets, or switch it on again',
    middleware: [byKey, limitJsonBody] as const,
    request: {
      params,
      body: jsonBody('WatchChannelChange', ChannelChange, { events: ['incident.opened'] }),
    },
    responses: {
      200: { description: 'The channel as it is now', content: jsonContent(Shown, EXAMPLE) },
      ...errorResponses([400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 503], {
        ...NEEDS_DOMAIN,
        404: NO_CHANNEL,
        409: 'The holder of the mail address unsubscribed (`unsubscribed`).',
      }),
    },
  })

  const remove = createRoute({
    ...common,
    method: 'delete',
    path: '/api/watches/{domain}/channels/{id}',
    operationId: 'deleteWatchChannel',
    summary: 'Delete a channel, with what is on its way to it',
    middleware: byKey,
    request: { params },
    responses: {
      200: {
        description: 'It is deleted',
        content: jsonContent(
          z.object({ id: z.string().describe('The id of the deleted channel') }),
          { id: EXAMPLE.id },
        ),
      },
      ...errorResponses(READ, { ...NEEDS_DOMAIN, 404: NO_CHANNEL }),
    },
  })

  const test = createRoute({
    ...common,
    method: 'post',
    path: '/api/watches/{domain}/channels/{id}/test',
    operationId: 'testWatchChannel',
    summary: 'Send a test to one channel now, and see what comes of it',
    description: 'A feed shows the test as its newest entry.',
    middleware: byKey,
    request: { params },
    responses: {
      200: {
        description: 'Whether it arrived, and otherwise why not',
        content: jsonContent(component('WatchChannelTest', ChannelTest), {
          delivered: false,
          status: 404,
          error: 'HTTP 404: no_service',
        }),
      },
      ...errorResponses([401, 403, 404, 405, 409, 422, 429, 500, 503], {
        ...NEEDS_DOMAIN,
        404: NO_CHANNEL,
        409: 'The holder of the mail address has not agreed yet (`address_not_confirmed`).',
        429: 'The key has tested channels 60 times in an hour: see `Retry-After` (`rate_limited`).',
      }),
    },
  })

  const deliveries = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches/{domain}/channels/{id}/deliveries',
    operationId: 'watchChannelDeliveries',
    summary: 'What reached a channel, what did not, and why',
    middleware: byKey,
    request: { params },
    responses: {
      200: {
        description: 'The newest 50',
        content: jsonContent(
          z.object({
            deliveries: z
              .array(component('WatchDelivery', ChannelDelivery))
              .describe('Newest first; a feed is fetched by its reader, and has none'),
          }),
          { deliveries: [DELIVERY] },
        ),
      },
      ...errorResponses(READ, { ...NEEDS_DOMAIN, 404: NO_CHANNEL }),
    },
  })

  /** The domain of the path, which the key must cover. */
  const ownDomain = <T extends { domain: string }>(c: Context<ServerEnv>, named: T): T => {
    requireDomain(c, named.domain)
    return named
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(list, async (c) => {
    const { domain } = ownDomain(c, c.req.valid('param'))
    return c.json({ channels: await channels.list(domain) }, 200)
  })
  app.openapi(create, async (c) => {
    const { domain } = ownDomain(c, c.req.valid('param'))
    return c.json(await channels.add(domain, c.req.valid('json'), c.var.key), 200)
  })
  app.openapi(change, async (c) => {
    const id = ownDomain(c, c.req.valid('param'))
    return c.json(await channels.change(id, c.req.valid('json'), c.var.key), 200)
  })
  app.openapi(remove, async (c) => {
    const id = ownDomain(c, c.req.valid('param'))
    await channels.remove(id)
    return c.json({ id: id.id }, 200)
  })
  app.openapi(test, async (c) => {
    const id = ownDomain(c, c.req.valid('param'))
    return c.json(await channels.test(id, c.var.key), 200)
  })
  app.openapi(deliveries, async (c) => {
    const id = ownDomain(c, c.req.valid('param'))
    return c.json({ deliveries: await channels.deliveries(id, c.var.key) }, 200)
  })
  return app
}
