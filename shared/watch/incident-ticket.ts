import type { NamedRemedy } from '../audit/gap/ticket.ts'
import { codeSpan, isInertLink, plainMarkdown } from '../web/text/inert-markdown.ts'
import type { AnswerChange } from './changes.ts'
import type { Incident } from './incident.ts'

/** What a ticket contains besides the incident. */
interface IncidentTicket {
  incident: Incident
  /** The page of the incident. */
  url: string
  /** What to read about the gap; null for other incidents. */
  docsUrl: string | null
  remedy: NamedRemedy | null
  /** What it cost, as sentences; empty for who may not know. */
  cost: readonly string[]
}

/**
 * An incident as a ticket for a tracker, in Markdown: what broke and since when, what to do, what
 * changed and what was found. The store's own text is in code spans, where trackers read no markup,
 * links or mentions.
 */
export function incidentTicket({ incident, url, docsUrl, remedy, cost }: IncidentTicket): string {
  const { label, severity, points, domain, subject, fix, detail, changes, steps } = incident
  const links = [url, docsUrl, remedy?.remedy.source].filter(isInertLink)
  return [
    `## ${plainMarkdown(label)}`,
    [
      plainMarkdown(severity) + (points === null ? '' : `, ${points} points`),
      `${codeSpan(subject)} at ${codeSpan(domain)}`,
      whenOf(incident),
    ].join(' · '),
    ...(remedy === null
      ? []
      : [`**On ${plainMarkdown(remedy.name)}:** ${plainMarkdown(remedy.remedy.steps)}`]),
    `**${remedy === null ? 'To do' : 'On any platform'}:** ${plainMarkdown(fix)}`,
    ...(changes.length === 0 ? [] : ['**What changed:**', changes.map(lineOf).join('\n')]),
    ...(steps.length === 0
      ? []
      : [
          '**Steps of a purchase that no longer work:**',
          steps
            .map(({ dialect, step, found }) =>
              [`- ${plainMarkdown(step)} (${plainMarkdown(dialect)}):`, codeSpan(found)].join(' '),
            )
            .join('\n'),
        ]),
    `**Found:** ${codeSpan(detail)}`,
    ...(cost.length === 0 ? [] : [`**What it cost:** ${plainMarkdown(cost.join(' '))}`]),
    links.map((link) => `- <${link}>`).join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

function whenOf({ known, well_at, first_seen_at, closed_at }: Incident): string {
  if (known) return `there before ${first_seen_at}`
  const since = `first seen ${first_seen_at}`
  const well = well_at === null ? '' : `, last well ${well_at}`
  return `${since}${well}${closed_at === null ? '' : `, over ${closed_at}`}`
}

const lineOf = ({ request, what, name, before, after }: AnswerChange): string =>
  [
    `- ${codeSpan(request)}:`,
    name === null ? what : `${what} ${codeSpan(name)}`,
    `was ${before === null ? 'not there' : codeSpan(before)},`,
    `is ${after === null ? 'not there' : codeSpan(after)}`,
  ].join(' ')
