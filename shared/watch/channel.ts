import * as z from 'zod'
import { isStorable, NOT_STORABLE } from '../web/storable.ts'
import { NOTICE_EVENTS, type NoticeEvent } from './notice.ts'

/**
 * How notices reach people. `webhook`: signed (Standard Webhooks). `slack` and `teams`: webhooks in
 * the form of these. `feed`: RSS, which readers fetch.
 */
export const CHANNEL_KINDS = ['webhook', 'slack', 'teams', 'mail', 'feed'] as const
export const ChannelKind = z.enum(CHANNEL_KINDS)
export type ChannelKind = z.infer<typeof ChannelKind>

/** How many a domain may have. */
export const MAX_CHANNELS = 20

/** Longer ones are no addresses of anything. */
const MAX_CHANNEL_TARGET = 2000

/**
 * What a channel can be told of; a test goes to the channel that is tested, whatever it is told of.
 * Incidents that orders show are told as `signal`, whether they begin or end.
 */
export const CHANNEL_EVENTS = NOTICE_EVENTS.filter(
  (event): event is Exclude<NoticeEvent, 'test'> => event !== 'test',
)
export const ChannelEvent = z.enum(CHANNEL_EVENTS)
export type ChannelEvent = z.infer<typeof ChannelEvent>

/**
 * Events that may say what orders show, so that a key has to have `report:read` to hear of them,
 * whatever the watch tells just now.
 */
export const REPORT_EVENTS: readonly ChannelEvent[] = ['signal', 'digest']

const Events = z
  .array(ChannelEvent)
  .min(1, `Name at least one of ${CHANNEL_EVENTS.join(', ')}, or leave events out.`)
  .transform((asked) => CHANNEL_EVENTS.filter((event) => asked.includes(event)))

/** What its kind needs is judged with it, by the service. */
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
 * `on`: it is told. `unconfirmed`: a mail address whose holder has not agreed yet. `failing`: it is
 * told, and nothing has reached it since its last success. `off`: it is told nothing any more.
 */
const CHANNEL_STATES = ['on', 'unconfirmed', 'failing', 'off'] as const

const moment = z.iso.datetime().nullable()

/**
 * Where notices of a domain go, without what opens it: a webhook's secret, the end of Slack's URL.
 */
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

/** What is shown once, when a channel is made. */
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
  created_at: z.iso.datetime().describe('When it was to be told first'),
  delivered_at: moment.describe('When it arrived'),
  next_at: moment.describe('When it is tried next; null once it has ended'),
  tries: z.int().describe('How often it was tried'),
  status: z.int().nullable().describe('What the last try was answered; null without an answer'),
  error: z.string().nullable().describe('Why the last try failed; null if it did not'),
})
export type ChannelDelivery = z.infer<typeof ChannelDelivery>

/** What came of a test. */
export const ChannelTest = z.object({
  delivered: z.boolean().describe('Whether it arrived'),
  status: z.int().nullable().describe('What was answered; null without an answer'),
  error: z.string().nullable().describe('Why it did not arrive; null if it did'),
})
export type ChannelTest = z.infer<typeof ChannelTest>
