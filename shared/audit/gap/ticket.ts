import { codeSpan, isInertLink, plainMarkdown } from '../../web/text/inert-markdown.ts'
import type { Remedy } from '../platforms/remedy.ts'
import type { AuditResult, Gap } from '../result/result.ts'

/** The words of a ticket, which are those of the page. */
export interface TicketWords {
  severity: (gap: Gap) => string
  /** Such as `+4`; null for results that do not say. */
  points: (gap: Gap) => string | null
  /** Who does it, and how long it takes. */
  who: (remedy: Remedy) => string
}

/** What to do on the platform of this name. */
export interface NamedRemedy {
  name: string
  remedy: Remedy
}

/**
 * A gap as a ticket for a tracker: what is wrong, what to do, what was found, and where to read on.
 * What the store wrote stands in code spans, where no tracker takes it for markup, a link or a
 * mention.
 */
export function gapTicket(
  { domain, checked_at }: Pick<AuditResult, 'domain' | 'checked_at'>,
  gap: Gap,
  remedy: NamedRemedy | null,
  words: TicketWords,
): string {
  const points = words.points(gap)
  const links = [gap.docs_url, gap.fix_url, remedy?.remedy.source].filter(isInertLink)
  return [
    `## ${plainMarkdown(gap.label)}`,
    [
      `${plainMarkdown(words.severity(gap))}${points === null ? '' : `, ${plainMarkdown(points)}`}`,
      `${codeSpan(gap.id)} at ${codeSpan(domain)}, found ${checked_at}`,
    ].join(' · '),
    ...(remedy === null
      ? []
      : [
          `**On ${plainMarkdown(remedy.name)}:** ${plainMarkdown(remedy.remedy.steps)}`,
          plainMarkdown(words.who(remedy.remedy)),
        ]),
    `**${remedy === null ? 'To do' : 'On any platform'}:** ${plainMarkdown(gap.fix)}`,
    `**Found:** ${codeSpan(gap.detail)}`,
    ...(links.length === 0 ? [] : [links.map((url) => `- <${url}>`).join('\n')]),
  ]
    .join('\n\n')
    .concat('\n')
}
