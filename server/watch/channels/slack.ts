import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { itemText, type NoticeText, noticeText } from './notice-text.ts'
import type { ChannelMessage } from './webhook.ts'

// https://docs.slack.dev/reference/block-kit/blocks: limits of a header, a text and the fields of a
// section. They count escaped characters.
const MOST_HEADER = 150
const MOST_TEXT = 3000
/**
 * Limits for the fields of a section and for a list in one text; a message has at most 50 blocks.
 */
const MOST_TOGETHER = 10
const MOST_FIELD = 2000

/**
 * A notice for Slack's incoming webhooks. A store's words go into `plain_text` only, where nothing
 * is formatted, with the three characters escaped that Slack reads everywhere.
 */
export function slackMessage(notice: WatchNotice): ChannelMessage {
  const text = noticeText(notice)
  return {
    jsonText: JSON.stringify({
      // For notifications, and for clients without blocks.
      text: escapedWithin(`${text.title} (${text.about}) ${text.url}`, MOST_TEXT),
      mrkdwn: false,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: blocksOf(text),
    }),
    headers: {},
  }
}

const plain = (text: string, most = MOST_TEXT) => ({
  type: 'plain_text',
  text: escapedWithin(text, most),
  emoji: false,
})

function blocksOf({ title, about, lines, facts, sections, url }: NoticeText): object[] {
  const fields = facts.map(({ label, value }) => plain(`${label}: ${value}`, MOST_FIELD))
  return [
    { type: 'header', text: plain(title, MOST_HEADER) },
    { type: 'context', elements: [plain(about)] },
    ...lines.map((line) => ({ type: 'section', text: plain(line) })),
    ...inGroups(fields).map((group) => ({ type: 'section', fields: group })),
    ...sections.flatMap(({ title, items }) =>
      inGroups(items.map((item) => `• ${itemText(item)}`)).map((group, n) => ({
        type: 'section',
        text: plain([...(n === 0 ? [title] : []), ...group].join('\n')),
      })),
    ),
    { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: linkTo(url) } },
  ]
}

const inGroups = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MOST_TOGETHER) }, (_, n) =>
    all.slice(n * MOST_TOGETHER, (n + 1) * MOST_TOGETHER),
  )

/** In a link, the URL ends at `|` and the link at `>`. */
const linkTo = (url: string) =>
  `<${escapeForSlack(url.replaceAll('|', '%7C'))}|See what happened and what to do>`

/**
 * https://docs.slack.dev/messaging/formatting-message-text#escaping: these three, and no others.
 */
const escapeForSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes a text and cuts it to `most` units, never within a character or an escape. */
function escapedWithin(text: string, most: number): string {
  const whole = escapeForSlack(text)
  if (whole.length <= most) return whole
  let kept = ''
  for (const character of text) {
    const next = escapeForSlack(character)
    if (kept.length + next.length > most - 1) break
    kept += next
  }
  return `${kept}…`
}
