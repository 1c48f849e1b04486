import XmlBuilder from 'fast-xml-builder'
import type { NoticeItem, WatchNotice } from '../../../shared/watch/notice.ts'
import { noticeText } from './notice-text.ts'

export const feedPath = (domain: string, token: string): string => `/feeds/${domain}/${token}.xml`

/** How many of the newest notices a feed holds. */
export const FEED_ITEMS = 50

/**
 * The newest notices of a domain as RSS 2.0 (https://www.rssboard.org/rss-specification). Readers
 * render a description as HTML, so it is HTML with every text escaped.
 */
export function feedXml(
  { domain, feedUrl, pageUrl }: { domain: string; feedUrl: string; pageUrl: string },
  notices: readonly WatchNotice[],
): string {
  const rss = {
    '@version': '2.0',
    '@xmlns:atom': 'http://www.w3.org/2005/Atom',
    channel: {
      title: `What changed at ${domain} for AI agents`,
      link: pageUrl,
      description: `Alerts of the watch of ${domain}.`,
      'atom:link': { '@href': feedUrl, '@rel': 'self', '@type': 'application/rss+xml' },
      ...(notices[0] && { lastBuildDate: rfc822(notices[0].at) }),
      item: notices.map(itemOf),
    },
  }
  const builder = new XmlBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    suppressEmptyNode: true,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ rss })}`
}

function itemOf(notice: WatchNotice): object {
  const { title, about, lines, facts, sections, url } = noticeText(notice)
  const html = [
    ...[about, ...lines].map((line) => `<p>${escapeHtml(line)}</p>`),
    ...facts.map(({ label, value }) => `<p><b>${escapeHtml(label)}:</b> ${escapeHtml(value)}</p>`),
    ...sections.map(
      ({ title, items }) => `<h2>${escapeHtml(title)}</h2><ul>${items.map(listItem).join('')}</ul>`,
    ),
  ].join('')
  return {
    title: withoutTags(title),
    link: url,
    guid: { '@isPermaLink': 'false', '#text': `urn:uuid:${notice.id}` },
    pubDate: rfc822(notice.at),
    category: notice.event,
    description: html,
  }
}

const listItem = ({ label, text, url }: NoticeItem) =>
  `<li>${url === null ? escapeHtml(label) : `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`}${
    text === '' ? '' : `: ${escapeHtml(text)}`
  }</li>`

/**
 * Some readers take a title for plain text and others for HTML. Without angle brackets both show
 * the same.
 */
const withoutTags = (text: string) => inXml(text).replaceAll('<', '‹').replaceAll('>', '›')

/** Removes characters that XML does not allow even escaped (XML 1.0, 2.2), and invisible ones. */
const inXml = (text: string) => text.replace(/[\ufffe\uffff]/g, '\ufffd')

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => inXml(text).replace(/[&<>"']/g, (it) => ESCAPES[it] ?? it)

const rfc822 = (at: string) => new Date(at).toUTCString()
