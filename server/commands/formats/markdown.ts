import { codeSpan, isInertLink, plainMarkdown } from '../../../shared/web/text/inert-markdown.ts'
import {
  type CommandReport,
  momentText,
  type ReportedError,
  type ReportedFinding,
  type Subject,
} from './report.ts'

/** How many findings of one subject are written in full; the others get a line each. */
const MAX_WHOLE = 30

/**
 * For people, in a pull request or a ticket: a heading for each subject, what fails the run, then
 * the gaps, worst first. A store's text stays plain text.
 */
export const markdownReport = (report: CommandReport): string =>
  `${sectionsOf(report).join('\n\n')}\n`

// Unspecified: a comment on GitHub has at most 65,536 characters, so Markdown for one ends before,
// between two paragraphs, and says so.
const MAX_COMMENT = 60_000

/** The report as Markdown, short enough for a comment. */
export function commentOf(report: CommandReport): string {
  const kept: string[] = []
  let length = 0
  for (const section of sectionsOf(report)) {
    length += section.length + 2
    if (length > MAX_COMMENT) return `${[...kept, CUT].join('\n\n')}\n`
    kept.push(section)
  }
  return `${kept.join('\n\n')}\n`
}

const CUT = 'The rest is left out here: it is in the file with the result.'

const sectionsOf = ({ command, subjects, errors }: CommandReport): string[] => [
  ...errors
    .filter(({ name }) => name === null)
    .flatMap(({ error }) => errorSection(HEADS[command], error)),
  ...subjects.flatMap(subjectSections),
  ...errors.flatMap(({ name, error }) =>
    name === null ? [] : errorSection(codeSpan(name), error),
  ),
]

const HEADS: Record<CommandReport['command'], string> = {
  audit: 'The audit could not run',
  validate: 'The validation could not run',
  walk: 'The walk could not run',
}

const errorSection = (head: string, { message, details = [] }: ReportedError): string[] => [
  `# ${head}`,
  plainMarkdown(message),
  ...(details.length === 0
    ? []
    : [
        details
          .map(
            (each) =>
              `- ${codeSpan(`${each.file}:${each.line}:${each.column}`)} ${plainMarkdown(each.message)}`,
          )
          .join('\n'),
      ]),
]

function subjectSections(subject: Subject): string[] {
  const { name, headline, failures, remarks, findings, passed, unseen, since } = subject
  const outcome = failures.length === 0 ? '✅' : '❌'
  const by = (state: ReportedFinding['state']) => findings.filter((each) => each.state === state)
  const open = by('open')
  const verdict = [
    ...failures.map((line) => `- **Fails:** ${plainMarkdown(line)}`),
    ...remarks.map((line) => `- ${plainMarkdown(line)}`),
  ]
  if (subject.markdown !== null) {
    return [subject.markdown.trimEnd(), ...(verdict.length === 0 ? [] : [verdict.join('\n')])]
  }
  return [
    `# ${outcome} ${codeSpan(name)}: ${plainMarkdown(headline)}`,
    ...(verdict.length === 0 ? [] : [verdict.join('\n')]),
    ...(since === null
      ? []
      : [
          [
            `**Since the baseline of ${plainMarkdown(momentText(since.at))}:** ${findings.filter(({ isNew }) => isNew).length} new,`,
            `${since.fixed.length} fixed, ${since.open} still open.`,
          ].join(' '),
          ...(since.fixed.length === 0
            ? []
            : [`Fixed: ${since.fixed.map(plainMarkdown).join('; ')}.`]),
        ]),
    ...(open.length === 0 ? [] : [`## ${open.length} to fix`]),
    ...open.slice(0, MAX_WHOLE).map(findingSection),
    ...listed('More of them', open.slice(MAX_WHOLE)),
    ...listed('Warnings', by('warned')),
    ...listed('In the baseline as well', by('known')),
    ...listed('Ignored', by('ignored')),
    `${passed.length} passed, ${unseen.length} could not be judged.`,
  ]
}

const marked = ({ severity, level, isNew }: ReportedFinding): string =>
  [...(isNew === true ? ['new'] : []), severity ?? level].join(', ')

const findingSection = (finding: ReportedFinding): string =>
  [
    `### ${plainMarkdown(finding.problem)} (${marked(finding)})`,
    '',
    codeSpan(finding.detail),
    '',
    ...(finding.fix === null ? [] : [`**To do:** ${plainMarkdown(finding.fix)}`, '']),
    isInertLink(finding.docs)
      ? `${codeSpan(finding.id)} · <${finding.docs}>`
      : codeSpan(finding.id),
  ].join('\n')

const listed = (head: string, findings: readonly ReportedFinding[]): string[] =>
  findings.length === 0
    ? []
    : [
        `## ${head}: ${findings.length}`,
        findings
          .map(
            (finding) =>
              `- ${plainMarkdown(finding.problem)} (${marked(finding)}), ${codeSpan(finding.id)}${
                finding.why === null || finding.state === 'known'
                  ? ''
                  : `: ${plainMarkdown(finding.why)}`
              }`,
          )
          .join('\n'),
      ]
