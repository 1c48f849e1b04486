import { capital } from '../../web/text/capital.ts'
import { codeSpan, isInertLink, plainMarkdown } from '../../web/text/inert-markdown.ts'
import type { Remedy } from '../platforms/remedy.ts'
import type { AuditResult, Gap } from '../result/result.ts'

const WHO: Record<Remedy['who'], string> = {
  merchant: 'you, in the admin of the store',
  developer: 'a developer',
  host: 'your hosting company or network',
}

const EFFORT: Record<Remedy['effort'], string> = {
  minutes: 'up to an hour',
  hours: 'up to a day',
  days: 'several days',
}

/** Who does it, and how long it takes. */
export const whoText = ({ who, effort }: Remedy): string =>
  `Who: ${WHO[who]}. Effort: ${EFFORT[effort]}.`

/** The points that closing a gap adds at least, such as `+4`. */
export const pointsText = (points: number): string => (points === 0 ? 'under +1' : `+${points}`)

/** What to do on the platform of this name. */
export interface NamedRemedy {
  name: string
  remedy: Remedy
}

/**
 * A gap as a ticket for a tracker: what is wrong, what to do, what was found, what AI brought to
 * the places that it is on (`worth`), and where to read on.
 * What the store wrote stands in code spans, where no tracker takes it for markup, a link or a
 * mention.
 */
export function gapTicket(
  { domain, checked_at }: Pick<AuditResult, 'domain' | 'checked_at'>,
  gap: Gap,
  remedy: NamedRemedy | null,
  worth: readonly string[] = [],
): string {
  const links = [gap.docs_url, gap.fix_url, remedy?.remedy.source].filter(isInertLink)
  return [
    `## ${plainMarkdown(gap.label)}`,
    [
      `${capital(gap.severity)}${gap.points === undefined ? '' : `, ${plainMarkdown(pointsText(gap.points))}`}`,
      `${codeSpan(gap.id)} at ${codeSpan(domain)}, found ${checked_at}`,
    ].join(' · '),
    ...(remedy === null
      ? []
      : [
          `**On ${plainMarkdown(remedy.name)}:** ${plainMarkdown(remedy.remedy.steps)}`,
          plainMarkdown(whoText(remedy.remedy)),
        ]),
    `**${remedy === null ? 'To do' : 'On any platform'}:** ${plainMarkdown(gap.fix)}`,
    `**Found:** ${codeSpan(gap.detail)}`,
    ...(worth.length === 0 ? [] : [`**At stake:** ${plainMarkdown(worth.join(' '))}`]),
    ...(links.length === 0 ? [] : [links.map((url) => `- <${url}>`).join('\n')]),
  ]
    .join('\n\n')
    .concat('\n')
}
