import { hash } from 'node:crypto'
import { findGapRule } from '../../../shared/audit/checks/index.ts'
import { sourcesOf } from '../../../shared/audit/gap/sources.ts'
import { ENGINE_VERSION } from '../../../shared/audit/result/result.ts'
import type { Severity } from '../../../shared/audit/vocabulary.ts'
import { gapWords } from '../../../shared/audit/words.ts'
import { isInertLink, plainMarkdown } from '../../../shared/web/text/inert-markdown.ts'
import { escapeJson, printable } from '../../../shared/web/text/printable.ts'
import { uriOfPath } from '../terminal/paths.ts'
import { levelOf } from './levels.ts'
import type { CommandReport, ReportedError, ReportedFinding, Subject } from './report.ts'

/**
 * SARIF 2.1.0 for GitHub's code scanning and other trackers
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html): one run, a rule for each kind
 * of finding, a result for each finding.
 */
export function sarifReport(report: CommandReport): string {
  const { command, subjects, errors } = report
  const found = subjects.flatMap((subject) =>
    subject.findings.map((finding) => ({ subject, finding })),
  )
  const rules = [...new Map(found.map(({ finding }) => [finding.id, finding])).values()]
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]))
  const ended = subjects
    .map(({ at }) => at)
    .toSorted()
    .at(-1)
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Aisle', version: ENGINE_VERSION, rules: rules.map(ruleOf) } },
        // So that audits and walks of one repository do not close each other's results.
        automationDetails: { id: `aisle/${command}/` },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: errors.length === 0,
            ...(ended !== undefined && { endTimeUtc: ended }),
            ...(errors.length > 0 && {
              toolExecutionNotifications: errors.map(({ name, error }) =>
                notificationOf(name, error),
              ),
            }),
          },
        ],
        results: found.map(({ subject, finding }) =>
          resultOf(subject, finding, indexOf.get(finding.id) ?? 0),
        ),
      },
    ],
  }
  return `${escapeJson(JSON.stringify(log, null, 2))}\n`
}

/** Text that a reader may show on a page, without links or control characters. */
const said = (text: string) => ({ text: String(printable`${text}`) || '-' })

/**
 * In a message, brackets begin links and braces placeholders (3.11.6 and 3.11.5): both are escaped.
 */
const message = (text: string) => ({
  text: (String(printable`${text}`) || '-').replace(/[\\[\]]/g, '\\$&').replace(/[{}]/g, '$&$&'),
})

/** The levels that GitHub sorts by, from its rules for security queries: 0.1 to 10. */
const RANK: Record<Severity, number> = { critical: 95, high: 75, medium: 50, low: 20 }

function ruleOf({ id, title, problem, fix, severity, level, docs }: ReportedFinding) {
  const known = findGapRule(id)
  const words = known && gapWords(known.gap)
  const published = known && sourcesOf(known.authority).find(({ url }) => url !== null)?.url
  const help = isInertLink(docs) ? docs : published
  const todo = known?.fix ?? fix
  return {
    id,
    name: id.replace(/(^|_)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase()),
    shortDescription: said(problem),
    fullDescription: said(words === null ? title : `${words.meaning} ${words.why}`),
    ...(help && { helpUri: help }),
    help: {
      text: [todo ?? problem, ...(words === null ? [] : [words.why])].join('\n\n'),
      ...(todo !== null && {
        markdown: [
          `**To do:** ${plainMarkdown(todo)}`,
          ...(words === null ? [] : [plainMarkdown(words.why)]),
        ].join('\n\n'),
      }),
    },
    defaultConfiguration: {
      level: severity === null ? level : levelOf(severity),
      ...(severity !== null && { rank: RANK[severity] }),
    },
    properties: {
      ...(severity !== null && { severity }),
      tags: ['agentic-commerce', ...(known === null ? [] : [known.check])],
    },
  }
}

function resultOf(subject: Subject, finding: ReportedFinding, ruleIndex: number) {
  const { id, which, problem, detail, level, state, why, isNew, severity, line } = finding
  return {
    ruleId: id,
    ruleIndex,
    level,
    message: message(`${problem}. ${detail}`),
    locations: [locationOf(subject, line)],
    partialFingerprints: {
      // Code scanning recognizes a finding by this name alone.
      primaryLocationLineHash: `${hash('sha256', [subject.name, id, ...(which === null ? [] : [which])].join('\n')).slice(0, 16)}:1`,
    },
    ...(isNew !== null && { baselineState: isNew ? 'new' : 'unchanged' }),
    ...(state === 'ignored' && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: said(why ?? '').text }],
    }),
    properties: { subject: subject.name, ...(severity !== null && { severity }) },
  }
}

// Unspecified: a finding is at the line of aisle.json that names the domain, or at the line of the
// validated file. Without one it is at a path made of the domain: GitHub rejects a whole file
// because of one https address (github/codeql-action#754), which is in `logicalLocations` instead.
function locationOf({ name, url, source }: Subject, line?: number) {
  const uri =
    source === null ? `${encodeURI(name.replace(/^https?:\/\//, ''))}` : uriOfPath(source.file)
  return {
    physicalLocation: {
      artifactLocation: { uri },
      region: { startLine: line ?? source?.line ?? 1 },
    },
    ...(url !== null && {
      logicalLocations: [{ name, fullyQualifiedName: url, kind: 'resource' }],
    }),
  }
}

const notificationOf = (
  name: string | null,
  { code, message: text, details = [] }: ReportedError,
) => ({
  level: 'error',
  message: message(name === null ? text : `${name}: ${text}`),
  descriptor: { id: code },
  ...(details.length > 0 && {
    locations: details.map(({ file, line, column, message: each }) => ({
      physicalLocation: {
        artifactLocation: { uri: uriOfPath(file) },
        region: { startLine: line, startColumn: column },
      },
      message: message(each),
    })),
  }),
})
