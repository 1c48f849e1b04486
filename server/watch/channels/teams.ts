import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { type NoticeText, noticeText } from './notice-text.ts'
import type { ChannelMessage } from './webhook.ts'

/** Teams refuses a message over 28 KB, including the envelope that it adds. */
const MOST_BYTES = 24_000

/**
 * A notice for the workflow "Post to a channel when a webhook request is received": a message with
 * one Adaptive Card.
 */
export function teamsMessage(notice: WatchNotice): ChannelMessage {
  const text = noticeText(notice)
  const sizes = [
    text,
    { ...text, sections: [] },
    { ...text, sections: [], facts: [] },
    { ...text, sections: [], facts: [], lines: [] },
  ].map((each) =>
    JSON.stringify({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: cardOf(each),
        },
      ],
    }),
  )
  const fitting = sizes.find((json) => Buffer.byteLength(json) < MOST_BYTES)
  return { jsonText: fitting ?? sizes.at(-1) ?? '', headers: {} }
}

function cardOf({ title, about, lines, facts, sections, url }: NoticeText): object {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      paragraph([{ text: title, size: 'large', weight: 'bolder' }]),
      paragraph([{ text: about, isSubtle: true }]),
      ...lines.map((line) => paragraph([{ text: line }])),
      ...facts.map(({ label, value }) =>
        paragraph([{ text: `${label}: `, weight: 'bolder' }, { text: value }]),
      ),
      ...sections.flatMap(({ title, items }) => [
        paragraph([{ text: title, size: 'medium', weight: 'bolder' }]),
        ...items.map(({ label, text, url }) =>
          paragraph([
            {
              text: label,
              weight: 'bolder',
              ...(url !== null && { selectAction: { type: 'Action.OpenUrl', url } }),
            },
            ...(text === '' ? [] : [{ text: `: ${text}` }]),
          ]),
        ),
      ]),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'See what happened and what to do', url }],
  }
}

/**
 * Text without formatting: a TextBlock and the facts of a FactSet read Markdown, the runs of a
 * RichTextBlock do not (https://learn.microsoft.com/en-us/adaptive-cards/create/textfeatures).
 */
const paragraph = (runs: { text: string; [style: string]: unknown }[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run, text: withoutFunctions(run.text) })),
})

/** `{{DATE(…)}}` is replaced anywhere in a text (same page). */
const withoutFunctions = (text: string) => text.replace(/\{(?=\{)/g, '{ ')
