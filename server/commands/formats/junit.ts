import XmlBuilder from 'fast-xml-builder'
import { printable } from '../../../shared/web/text/printable.ts'
import type { Checked, CommandReport, ReportedError, ReportedFinding, Subject } from './report.ts'

/**
 * JUnit's XML for Jenkins and GitLab: a suite for each subject, a case for each rule, named by what
 * it looks for, so that it has the same name whether it passes or not.
 */
// Unspecified: a gap that counts is a failure at any severity; gaps of the baseline and ignored
// ones are skipped with the reason; a warning passes, and its output says so. A domain that could
// not be audited is a case with an error.
export function junitReport({ command, subjects, errors }: CommandReport): string {
  const suites = [
    ...subjects.map((subject) => suiteOf(command, subject)),
    ...errors.map(({ name, error }) => errorSuite(command, name, error)),
  ]
  const total = (key: keyof Counts) => suites.reduce((sum, { counts }) => sum + counts[key], 0)
  const document = element(
    'testsuites',
    {
      name: `aisle ${command}`,
      tests: total('tests'),
      failures: total('failures'),
      errors: total('errors'),
    },
    suites.map(({ xml }) => xml),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${BUILDER.build([document]).trim()}\n`
}

const BUILDER = new XmlBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  format: true,
  indentBy: '  ',
})

/** An element for the builder: its children under its name, its attributes under `:@`. */
type Xml = Record<string, unknown>

const element = (
  name: string,
  attributes: Record<string, string | number>,
  children: readonly Xml[] = [],
): Xml => ({
  [name]: children,
  ':@': Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, plainXml(String(value))]),
  ),
})

/** Lines of text; each of them is escaped by itself. */
const textOf = (lines: readonly string[]): Xml => ({ '#text': lines.map(plainXml).join('\n') })

/** Characters that XML does not allow even escaped (XML 1.0, 2.2) are shown like in a terminal. */
const plainXml = (text: string): string =>
  String(printable`${text}`)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '\ufffd')

interface Counts {
  tests: number
  failures: number
  errors: number
}

interface Case {
  ends: 'passed' | 'failure' | 'error' | 'skipped'
  xml: Xml
}

function suite(attributes: Record<string, string>, cases: readonly Case[]) {
  const having = (ends: Case['ends']) => cases.filter((each) => each.ends === ends).length
  const counts: Counts = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
  }
  const xml = element(
    'testsuite',
    { ...attributes, ...counts, skipped: having('skipped') },
    cases.map((each) => each.xml),
  )
  return { counts, xml }
}

function suiteOf(command: string, { name, at, findings, passed, unseen, failures }: Subject) {
  const testcase = (title: string, ends: Case['ends'], children: Xml[] = []): Case => ({
    ends,
    xml: element('testcase', { name: title, classname: `${command}.${name}` }, children),
  })
  const run =
    failures.length === 0
      ? testcase(RUN, 'passed')
      : testcase(RUN, 'failure', [said('failure', 'aisle', failures.join(' '), failures)])
  // Jenkins' schema requires the time as xs:dateTime, in seconds.
  return suite({ name, timestamp: at.replace(/\.\d+Z$/, 'Z') }, [
    run,
    ...findings.map((finding) => testcase(nameOf(finding), ...outcomeOf(finding))),
    ...passed.map((each) => testcase(nameOf(each), 'passed')),
    ...unseen.map((each) =>
      testcase(nameOf(each), 'skipped', [element('skipped', { message: each.reason })]),
    ),
  ])
}

/** What can fail without a rule: a score that is too low. */
const RUN = 'The store is as good as this run wants it'

const nameOf = ({ id, title, which = null }: Checked & { which?: string | null }) =>
  `${title} (${which === null ? id : `${id}, ${which}`})`

const said = (
  name: 'failure' | 'error',
  type: string,
  message: string,
  lines: readonly string[],
): Xml => element(name, { type, message }, [textOf(lines)])

function outcomeOf(finding: ReportedFinding): [ends: Case['ends'], children: Xml[]] {
  const { severity, level, state, why, problem, detail, fix, docs } = finding
  const lines = [
    detail,
    ...(fix === null ? [] : [`To do: ${fix}`]),
    ...(docs === null ? [] : [`More: ${docs}`]),
  ]
  switch (state) {
    case 'open':
      return ['failure', [said('failure', severity ?? level, problem, lines)]]
    case 'warned':
      return ['passed', [element('system-out', {}, [textOf([`Warning: ${problem}`, ...lines])])]]
    case 'known':
    case 'ignored':
      return ['skipped', [element('skipped', { message: why ?? problem })]]
  }
}

function errorSuite(
  command: string,
  name: string | null,
  { code, message, details = [] }: ReportedError,
) {
  const lines = details.map((each) => `${each.file}:${each.line}:${each.column} ${each.message}`)
  const xml = element('testcase', { name: RUN, classname: `${command}.${name ?? 'command'}` }, [
    said('error', code, message, [message, ...lines]),
  ])
  return suite({ name: name ?? `aisle ${command}` }, [{ ends: 'error', xml }])
}
