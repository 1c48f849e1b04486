import * as z from 'zod'
import { isStorable, NOT_STORABLE } from '../web/json/json.ts'
import { NOTICE_EVENTS, type NoticeEvent } from './notice.ts'

/**
 * How notices reach people. `webhook`: signed (Standard Webhooks). `slack` and `teams`: their
 * incoming webhooks. `feed`: RSS, which readers fetch.
 */
export const CHANNEL_KINDS = ['webhook', 'slack', 'teams', 'mail', 'feed'] as const
export const ChannelKind = z.enum(CHANNEL_KINDS)
export type ChannelKind = z.infer<typeof ChannelKind>

/** The maximum per domain. */
export const MAX_CHANNELS = 20

/** No valid address is longer. */
const MAX_CHANNEL_TARGET = 2000

/**
 * The events that a channel can receive; a test goes to the tested channel regardless. Incidents
 * from orders are sent as `signal`, whether they begin or end.
 */
export const CHANNEL_EVENTS = NOTICE_EVENTS.filter(
  (event): event is Exclude<NoticeEvent, 'test'> => event !== 'test',
)
export const ChannelEvent = z.enum(CHANNEL_EVENTS)
export type ChannelEvent = z.infer<typeof ChannelEvent>

/**
 * Events that may contain what orders show, so that a key needs `report:read` to receive them,
 * regardless of what the watch sends now.
 */
export const REPORT_EVENTS: readonly ChannelEvent[] = ['signal', 'digest']

const Events = z
  .array(ChannelEvent)
  .min(1, `Name at least one of ${CHANNEL_EVENTS.join(', ')}, or leave events out.`)
  .transform((asked) => CHANNEL_EVENTS.filter((event) => asked.includes(event)))

/** The service checks the target of its kind. */
export const NewChannelShape = z.strictObject({
  kind: ChannelKind.describe('How notices reach you'),
  target: z
    .string()
    .trim()
    .min(1, 'Send a URL or an address, or leave target out for a feed.')
    .max(MAX_CHANNEL_TARGET, `A target has at most ${MAX_CHANNEL_TARGET} characters.`)
    .refine(isStorable, NOT_STORABLE)
    .optional()
    .describe(
      'Where they go: a public https URL of a webhook, of Slack or of Teams, or a mail address. Left out for a feed',
    ),
  events: Events.optional().describe(
    'Which events it receives; incidents of kind `signal` are among `signal`. Left out: all that the key may see',
  ),
})

/** Body of `PATCH /api/watches/{domain}/channels/{id}`: what is left out stays. */
export const ChannelChange = z.strictObject({
  events: Events.optional().describe('Which events it receives'),
  enabled: z.literal(true).optional().describe('Switches a channel on again that was switched off'),
})
export type ChannelChange = z.infer<typeof ChannelChange>

/**
 * `on`: it receives notices. `unconfirmed`: the holder of the mail address has not agreed yet.
 * `failing`: nothing has reached it since its last success. `off`: it receives nothing.
 */
const CHANNEL_STATES = ['on', 'unconfirmed', 'failing', 'off'] as const

const moment = z.iso.datetime().nullable()

/** A channel without its secrets: a webhook's signing secret, the end of Slack's URL. */
export const Channel = z.object({
  id: z.string().describe('The id of the channel'),
  domain: z.string().describe('The watched domain'),
  kind: ChannelKind.describe('How notices reach it'),
  target: z
    .string()
    .nullable()
    .describe('Where they go, without what may be secret in a URL; null for a feed'),
  events: z.array(ChannelEvent).describe('Which events it receives'),
  state: z
    .enum(CHANNEL_STATES)
    .describe(
      '`on`; `unconfirmed`: the holder of the mail address has not agreed yet; `failing`: nothing has reached it since `failing_since`; `off`: see `off_because`',
    ),
  created_at: z.iso.datetime().describe('When it was made, ISO 8601 in UTC'),
  last_ok_at: moment.describe('When something last reached it'),
  failing_since: moment.describe('Since when nothing reached it; null while it is reached'),
  last_error: z.string().nullable().describe('Why the last try failed; null if it did not'),
  off_since: moment.describe('When it was switched off; null while it is on'),
  off_because: z.string().nullable().describe('Why it was switched off'),
})
export type Channel = z.infer<typeof Channel>

/** Shown once, when a channel is created. */
export const MadeChannel = Channel.extend({
  secret: z
    .string()
    .nullable()
    .describe('Of a webhook: what its signatures are checked with. It is not shown again'),
  feed_url: z
    .string()
    .nullable()
    .describe('Of a feed: its address, which is a secret. It is not shown again'),
})
export type MadeChannel = z.infer<typeof MadeChannel>

/** `waiting`: it is tried again. `given_up`: it is not. */
const CHANNEL_DELIVERY_STATES = ['waiting', 'delivered', 'given_up'] as const

/** One notice on its way to one channel. */
export const ChannelDelivery = z.object({
  id: z.uuid().describe('The id of the notice, which is the `webhook-id` of each try'),
  event: z.enum(NOTICE_EVENTS).describe('What it is about'),
  title: z.string().describe('What happened, in one line'),
  state: z.enum(CHANNEL_DELIVERY_STATES).describe('Whether it arrived'),
  created_at: z.iso.datetime().describe('When it was first due'),
  delivered_at: moment.describe('When it arrived'),
  next_at: moment.describe('When it is tried next; null once it has ended'),
  tries: z.int().describe('How often it was tried'),
  status: z.int().nullable().describe('What the last try was answered; null without an answer'),
  error: z.string().nullable().describe('Why the last try failed; null if it did not'),
})
export type ChannelDelivery = z.infer<typeof ChannelDelivery>

/** The outcome of a test. */
export const ChannelTest = z.object({
  delivered: z.boolean().describe('Whether it arrived'),
  status: z.int().nullable().describe('What was answered; null without an answer'),
  error: z.string().nullable().describe('Why it did not arrive; null if it did'),
})
export type ChannelTest = z.infer<typeof ChannelTest>
