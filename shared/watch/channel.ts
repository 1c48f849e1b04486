import * as z from 'zod'

/**
 * How notices reach people. `webhook`: signed (Standard Webhooks). `slack` and `teams`: webhooks in the
 * form of these. `feed`: RSS, which readers fetch.
 */
export const CHANNEL_KINDS = ['webhook', 'slack', 'teams', 'mail', 'feed'] as const
export const ChannelKind = z.enum(CHANNEL_KINDS)
export type ChannelKind = z.infer<typeof ChannelKind>
