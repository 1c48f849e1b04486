import { printable } from '../../../shared/web/text/printable.ts'
import { commentOf, markdownReport } from './markdown.ts'
import type { CommandReport, ReportedFinding, Subject } from './report.ts'

/** What a job of GitHub Actions gets: its log, its summary, and the outputs of its step. */
interface GithubOutput {
  log: string
  summary: string
  outputs: Record<string, string>
}

/**
 * `token` ends the part of the log in which the runner obeys nothing, and must be unguessable.
 * `files` are the files of the result.
 */
export function githubReport(
  report: CommandReport,
  { token, files = [] }: { token: string; files?: readonly string[] },
): GithubOutput {
  return {
    log: [
      // A line of the report may begin with a store's text, and the runner looks for commands there
      // (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
      `::stop-commands::${token}`,
      String(report.text).trim(),
      `::${token}::`,
      ...annotationsOf(report),
      '',
    ].join('\n'),
    summary: cut(markdownReport(report)),
    outputs: outputsOf(report, files),
  }
}

/** A summary has a megabyte at most. */
const MAX_SUMMARY = 1_000_000

const cut = (text: string): string =>
  Buffer.byteLength(text) <= MAX_SUMMARY
    ? text
    : `${Buffer.from(text).subarray(0, MAX_SUMMARY).toString('utf8')}\n\n…\n`

// Unspecified: GitHub shows ten annotations of a kind and step. Those of errors come first, worst
// first, and one more says how many are left out.
const MAX_ANNOTATIONS = 9

function annotationsOf({ subjects, errors }: CommandReport): string[] {
  const all = subjects.flatMap((subject) =>
    subject.findings
      .filter(({ state }) => state === 'open' || state === 'warned')
      .map((finding) => ({ subject, finding })),
  )
  const findings = (['error', 'warning', 'note'] as const).flatMap((level) => {
    const these = all.filter(({ finding }) => finding.level === level)
    const rest = these.length - MAX_ANNOTATIONS
    return [
      ...these
        .slice(0, MAX_ANNOTATIONS)
        .map(({ subject, finding }) => annotation(subject, finding)),
      ...(rest > 0
        ? [
            command(
              COMMANDS[level],
              { title: 'Aisle' },
              `${rest} more are in the summary of this job.`,
            ),
          ]
        : []),
    ]
  })
  return [
    ...errors.flatMap(({ name, error: { message, details = [] } }) => [
      // If each line has an annotation, this would only count them.
      ...(details.length > 0 && details.length <= MAX_ANNOTATIONS
        ? []
        : [command('error', { title: name === null ? 'Aisle' : `Aisle: ${name}` }, message)]),
      ...details
        .slice(0, MAX_ANNOTATIONS)
        .map(({ file, line, column, message: what }) =>
          command('error', { file, line, col: column, title: 'Aisle' }, what),
        ),
    ]),
    ...subjects.flatMap(({ name, source, failures, remarks }) => [
      ...failures.map((line) =>
        command('error', { ...place(source), title: `Aisle: ${name}` }, line),
      ),
      ...remarks.map((line) =>
        command('notice', { ...place(source), title: `Aisle: ${name}` }, line),
      ),
    ]),
    ...findings,
  ]
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const

const place = (source: Subject['source'], line?: number) =>
  source === null ? {} : { file: source.file, line: line ?? source.line }

function annotation({ name, source }: Subject, finding: ReportedFinding): string {
  const { level, problem, severity, detail, fix, docs } = finding
  const lines = [
    detail,
    ...(fix === null ? [] : [`To do: ${fix}`]),
    ...(docs === null ? [] : [docs]),
  ]
  const title = `${name}: ${problem}${severity === null ? '' : ` (${severity})`}`
  return command(COMMANDS[level], { ...place(source, finding.line), title }, ...lines)
}

/** One workflow command. Other text is made printable first, each line by itself. */
function command(
  name: 'error' | 'warning' | 'notice',
  properties: Record<string, string | number>,
  ...lines: readonly string[]
): string {
  const listed = Object.entries(properties).map(
    ([key, value]) => `${key}=${escapeProperty(String(printable`${value}`))}`,
  )
  const message = lines.map((line) => String(printable`${line}`)).join('\n')
  return `::${name} ${listed.join(',')}::${escapeData(message)}`
}

// As @actions/core has it (packages/core/src/command.ts).
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/**
 * The outputs of the step, each a text: `score` and `grade` are those of the lowest score, `gaps`
 * and `new-gaps` count the open ones over all domains, and are empty if none was judged; `comment`
 * is Markdown.
 */
function outputsOf(report: CommandReport, files: readonly string[]): Record<string, string> {
  const [worst] = report.subjects
    .filter(({ score }) => score !== null)
    .toSorted((one, other) => (one.score ?? 0) - (other.score ?? 0))
  const open = report.subjects.flatMap((subject) =>
    subject.findings.filter(({ state }) => state !== 'ignored'),
  )
  const compared = report.subjects.some(({ since }) => since !== null)
  const json = files.find((file) => file.toLowerCase().endsWith('.json'))
  return {
    score: String(worst?.score ?? ''),
    grade: worst?.grade ?? '',
    gaps: report.subjects.length === 0 ? '' : String(open.length),
    'new-gaps':
      open.every(({ isNew }) => isNew === null) && !compared
        ? ''
        : String(open.filter(({ isNew }) => isNew === true).length),
    failed: String(
      report.errors.length > 0 || report.subjects.some(({ failures }) => failures.length > 0),
    ),
    'result-file': json ?? '',
    comment: `<!-- aisle-${report.command} -->\n${commentOf(report)}`,
  }
}

/**
 * The lines of GITHUB_OUTPUT. A value of several lines ends with an unguessable delimiter, so that
 * a store's text can neither end its value nor begin another.
 */
export function outputLines(outputs: Record<string, string>, delimiter: string): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      if (value.includes(delimiter)) throw new Error('The delimiter is in the value.')
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`
    })
    .join('')
}
