import { appendFile } from 'node:fs/promises'
import { CommanderError } from 'commander'
import { NoResult } from '../../../shared/audit/result/no-result.ts'
import {
  printable,
  printableError,
  printableJson,
  printableLines,
} from '../../../shared/web/text/printable.ts'
import { ApiError } from '../../http/api-error.ts'
import { CommandError } from '../terminal/command-error.ts'
import { isSameFile } from '../terminal/paths.ts'
import { replaceFile } from '../terminal/replace-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import {
  type Destinations,
  DOCUMENTS,
  type DocumentFormat,
  formatsOf,
  readDestinations,
  writesErrors,
} from './formats.ts'
import type { CommandReport, ReportedError } from './report.ts'

/** The files that a runner of GitHub Actions names in the environment of a step. */
export interface RunnerFiles {
  /** GITHUB_STEP_SUMMARY */
  summary: string | undefined
  /** GITHUB_OUTPUT */
  output: string | undefined
}

/**
 * Writes a report to its targets: each file whole or not at all, then the terminal. If the terminal
 * shows a document, what fails the run goes to the other stream.
 */
export async function deliver(
  report: CommandReport,
  { terminal: shown, files }: Destinations,
  terminal: Terminal,
  runner: RunnerFiles,
): Promise<void> {
  const write = async (format: DocumentFormat, written = report): Promise<string> =>
    (await DOCUMENTS[format].load())(written)
  for (const { file, format } of files) {
    const { baseline } = report
    const isBaseline = baseline !== undefined && (await isSameFile(file, baseline.file))
    await replaceFile(
      file,
      await write(format, isBaseline ? { ...report, json: baseline.json } : report),
    )
  }
  terminal.endProgress()
  if (shown === 'github') {
    await deliverToRunner(
      report,
      files.map(({ file }) => file),
      terminal,
      runner,
    )
  } else if (shown === 'text') terminal.print(report.ending ?? report.text)
  else {
    terminal.print(printableLines((await write(shown)).trimEnd().split('\n')))
    for (const { name, failures } of report.subjects) {
      for (const line of failures) terminal.remark(printable`${name}: ${line}`)
    }
  }
  for (const { file } of files) terminal.remark(printable`Wrote ${file}.`)
}

async function deliverToRunner(
  report: CommandReport,
  files: readonly string[],
  terminal: Terminal,
  { summary, output }: RunnerFiles,
): Promise<void> {
  const { outputLines, githubReport } = await import('./github.ts')
  const { randomUUID } = await import('node:crypto')
  const said = githubReport(report, { token: randomUUID(), files })
  terminal.print(printableLines(said.log.split('\n')))
  if (summary) await appendFile(summary, `${said.summary}\n`)
  if (output) await appendFile(output, outputLines(said.outputs, `aisle_${randomUUID()}`))
}

/** Whether a file stays unchanged when there is only an error to write. */
export type Kept = (file: string, format: string) => Promise<boolean>

/**
 * Runs a command, and reports what keeps it from its work in the requested format. Returns the exit
 * code, which is then 2. For plain text, the error is thrown on.
 */
export async function reportingErrors(
  command: CommandReport['command'],
  destinations: Destinations,
  terminal: Terminal,
  runner: RunnerFiles,
  work: () => Promise<number>,
  isKept: Kept = async () => false,
): Promise<number> {
  try {
    return await work()
  } catch (error) {
    terminal.endProgress()
    if (destinations.terminal === 'text' && destinations.files.length === 0) throw error
    const reported = reportedError(error)
    const report: CommandReport = {
      command,
      subjects: [],
      errors: [{ name: null, error: reported }],
      json: { error: reported },
      text: errorText(reported),
    }
    const files: Destinations['files'] = []
    for (const { file, format } of destinations.files) {
      if (!writesErrors(format)) continue
      if (await isKept(file, format)) terminal.remark(printable`${file} stays as it was.`)
      else files.push({ file, format })
    }
    const shown = writesErrors(destinations.terminal) ? destinations.terminal : 'text'
    await deliver(report, { terminal: shown, files }, terminal, runner)
    return 2
  }
}

/**
 * Reports an error of a command on standard output in the format that was typed, if one was: all
 * commands write an error as JSON, those that have formats in each of theirs. `argv` is what was
 * typed after `aisle`.
 */
export async function reportFailure(
  error: unknown,
  argv: readonly string[],
  terminal: Terminal,
  runner: RunnerFiles,
): Promise<void> {
  const end = argv.indexOf('--')
  const flags = end < 0 ? argv : argv.slice(0, end)
  const isTyped = error instanceof CommanderError
  const failure = isTyped
    ? new CommandError(printable`${error.message.replace(/^error: /, '')}`)
    : error
  if (flags.includes('--json')) {
    return terminal.print(printableJson({ error: reportedError(failure) }))
  }
  const command = COMMANDS.find((name) => name === flags[0])
  const at = flags.findIndex((each) => /^--format(=|$)/.test(each))
  const format = flags[at]?.split('=')[1] ?? (at < 0 ? undefined : flags[at + 1])
  if (!isTyped || command === undefined || !isReported(command, format)) return
  const destinations = readDestinations({ format }, command)
  await reportingErrors(command, destinations, terminal, runner, () => Promise.reject(failure))
}

const COMMANDS = ['audit', 'validate', 'walk'] as const

const isReported = (
  command: CommandReport['command'],
  format: string | undefined,
): format is string =>
  format !== 'text' && formatsOf(command).some((name) => name === format && writesErrors(name))

/** Like an error of the API, without the id of a request. */
export function reportedError(error: unknown): ReportedError {
  if (error instanceof CommandError) {
    const { code, message, details } = error
    return { code, message, ...(details.length > 0 && { details: [...details] }) }
  }
  const message = error instanceof Error ? error.message : String(error)
  const isKnown = error instanceof NoResult || error instanceof ApiError
  return { code: isKnown ? error.code : 'failed', message }
}

/** An error as a terminal shows it, with the lines of the file that are wrong. */
export const errorText = ({ message, details = [] }: ReportedError) =>
  printableLines([
    printableError(message),
    ...details.map(
      (each) => printable`  ${each.file}:${each.line}:${each.column}  ${each.message}`,
    ),
  ])
