import * as z from 'zod'

// What Slack's incoming webhooks refuse, by its reference
// (https://docs.slack.dev/reference/block-kit/blocks, …/composition-objects/text-object).

const text = (most: number) => z.string().min(1).max(most)

const Plain = z.strictObject({
  type: z.literal('plain_text'),
  text: text(3000),
  emoji: z.boolean().optional(),
})
const Mrkdwn = z.strictObject({
  type: z.literal('mrkdwn'),
  text: text(3000),
  verbatim: z.boolean().optional(),
})
const AnyText = z.discriminatedUnion('type', [Plain, Mrkdwn])

const Header = z.strictObject({
  type: z.literal('header'),
  text: Plain.extend({ text: text(150) }),
})
const Context = z.strictObject({
  type: z.literal('context'),
  elements: z.array(AnyText).min(1).max(10),
})
const Section = z
  .strictObject({
    type: z.literal('section'),
    text: AnyText.optional(),
    fields: z
      .array(
        z.discriminatedUnion('type', [
          Plain.extend({ text: text(2000) }),
          Mrkdwn.extend({ text: text(2000) }),
        ]),
      )
      .min(1)
      .max(10)
      .optional(),
  })
  .refine((section) => section.text !== undefined || section.fields !== undefined)

/** A message of an incoming webhook. */
export const SlackMessage = z.strictObject({
  text: text(40_000),
  mrkdwn: z.boolean().optional(),
  parse: z.enum(['none', 'full']).optional(),
  link_names: z.boolean().optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  blocks: z
    .array(z.discriminatedUnion('type', [Header, Context, Section]))
    .min(1)
    .max(50),
})
export type SlackMessage = z.infer<typeof SlackMessage>

/** Control sequences that Slack would read in a text: everything between `<` and `>`. */
export const sequencesIn = (text: string): string[] => text.match(/<[^>]*>?/g) ?? []

/** A text as Slack shows it. */
export const shownBySlack = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
