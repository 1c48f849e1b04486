import { existsSync } from 'node:fs'
import { isUnjudged, type ManifestValidation } from '../../shared/manifest/validation.ts'
import { wordsOf } from '../../shared/view/audit/check-names.ts'
import { domainOfAddress, pastedDomain } from '../../shared/web/address/domain.ts'
import { type Printable, printable, printableLines } from '../../shared/web/text/printable.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import type { Config } from '../config.ts'
import { deliver, type RunnerFiles, reportingErrors } from './formats/deliver.ts'
import { type FormatFlags, readDestinations } from './formats/formats.ts'
import type { CommandReport, ReportedFinding, Subject } from './formats/report.ts'
import { CommandError } from './terminal/command-error.ts'
import { type Paint, painter } from './terminal/paint.ts'
import { shownPath } from './terminal/paths.ts'
import { nameOfFile, readTextFile, STDIN } from './terminal/read-text.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Validates a manifest in a file, on standard input (`-`) or at a URL. Returns the exit code: 0 if
 * it is valid, 1 if it is not (an answer such as 404 included), and 2 if it could not be validated;
 * as text that is thrown.
 */
export async function validateCommand(
  source: string,
  flags: FormatFlags & { header?: string[] },
  { config, runner, now }: { config: Config; runner: RunnerFiles; now: () => Date },
  terminal: Terminal,
): Promise<number> {
  const destinations = readDestinations(flags, 'validate')
  return reportingErrors('validate', destinations, terminal, runner, async () => {
    if (isUrl(source) && URL.parse(source) === null) {
      throw new CommandError(
        printable`${source} is not a valid URL. Write one such as https://shop.example/.well-known/ucp.`,
      )
    }
    if (isDomain(source) && !existsSync(source)) {
      throw new CommandError(
        printable`There is no file ${source}. For the manifest of a store, write its address, such as https://${pastedDomain(source)}/.well-known/ucp.`,
      )
    }
    if (flags.header !== undefined && !isUrl(source)) {
      throw new CommandError(
        printable`--header is sent to a store, and ${nameOfFile(source)} is not fetched. Leave it out.`,
      )
    }
    const text = isUrl(source) ? null : await readTextFile(source, { maxBytes: MAX_BYTES })
    const validation =
      text === null
        ? // A file is judged without the network.
          await (await import('./validate-at.ts')).validateAt(source, flags.header, config, now)
        : validateText(text)
    const report: CommandReport = {
      command: 'validate',
      subjects: [validatedSubject(source, validation, await linesIn(text, validation), now())],
      errors: [],
      json: validation,
      text: formatValidation(nameOfFile(source), validation, painter(terminal.colour)),
    }
    await deliver(report, destinations, terminal, runner)
    return validation.valid ? 0 : 1
  })
}

const isUrl = (source: string): boolean => /^https?:\/\//i.test(source)

/** `ucp.json` could be a URL as well; here it is a file. */
const isDomain = (source: string): boolean =>
  !isUrl(source) && !/\.json$/i.test(source) && 'domain' in domainOfAddress(source)

/** The source of each format. */
function validatedSubject(
  source: string,
  { valid, dialect, shoppable_reason, errors, warnings, reachability }: ManifestValidation,
  lines: readonly number[],
  now: Date,
): Subject {
  const common = { fix: null, severity: null, isNew: null, docs: null }
  const reached = Object.entries(reachability)
  const title = 'The manifest follows its specification'
  return {
    name: nameOfFile(source),
    url: isUrl(source) ? source : null,
    source: isUrl(source) || source === STDIN ? null : { file: shownPath(source), line: 1 },
    headline: `${valid ? 'valid' : 'invalid'}, ${dialect === 'unknown' ? 'unknown version' : `version ${dialect}`}. ${shoppable_reason}`,
    score: null,
    grade: null,
    at: now.toISOString(),
    findings: [
      ...errors.map(
        ({ field, code, message }, n): ReportedFinding => ({
          ...common,
          ...(lines[n] !== undefined && { line: lines[n] }),
          id: code,
          which: field,
          title,
          problem: `${field}: ${wordsOf(code)}`,
          detail: message,
          level: 'error',
          state: 'open',
          why: null,
        }),
      ),
      ...warnings.map(
        (warning): ReportedFinding => ({
          ...common,
          id: 'warning',
          which: warning,
          title: 'The manifest can be better',
          problem: 'Something to check',
          detail: warning,
          level: 'warning',
          state: 'warned',
          why: null,
        }),
      ),
    ],
    passed: reached
      .filter(([, reach]) => reach === 'reachable')
      .map(([name]) => ({ id: name, title: 'It answers' })),
    unseen: reached
      .filter(([, reach]) => reach === 'not_checked')
      .map(([name]) => ({ id: name, title: 'It answers', reason: 'It was not asked' })),
    since: null,
    failures: valid ? [] : ['The manifest is invalid.'],
    remarks: [],
    markdown: null,
  }
}

// Unspecified: a manifest in a file has at most 4 MiB: far more than agents read of one.
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The line of each error in the file, or of the nearest part around it; none for fetched manifests.
 */
async function linesIn(
  text: string | null,
  { errors }: ManifestValidation,
): Promise<readonly number[]> {
  if (text === null || errors.length === 0) return []
  const { NotJson, readPlaced } = await import('./config-file/positions.ts')
  try {
    const placed = readPlaced(text)
    return errors.map(({ field }) => placed.at(stepsOf(field)).line)
  } catch (error) {
    if (error instanceof NotJson) return errors.map(() => error.at.line)
    // Nested too deep for positions.
    if (error instanceof RangeError) return []
    throw error
  }
}

/** `capabilities.items[2].url` as keys and indexes. */
const stepsOf = (field: string): (string | number)[] =>
  [...field.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step))

/** Text that is not JSON is judged like a store's, with the same code. */
function validateText(text: string): ManifestValidation {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    const said = error instanceof Error ? error.message : 'it is not valid JSON'
    const problem = text.trim() === '' ? 'it is empty' : said
    return {
      valid: false,
      dialect: 'unknown',
      shoppable: false,
      shoppable_reason: 'It could not be read.',
      errors: [
        { field: 'manifest_url', code: 'not_json', message: `It cannot be read: ${problem}.` },
      ],
      warnings: [],
      reachability: { manifest_url: 'not_checked' },
    }
  }
  return validateDocument(document)
}

/** The result for a terminal: whether it is valid, whether agents can buy, and what was found. */
export function formatValidation(
  source: string,
  validation: ManifestValidation,
  paint: Paint,
): Printable {
  const { valid, dialect, shoppable, shoppable_reason, errors, warnings } = validation
  const verdict = valid ? paint('green', 'valid') : paint('red', 'invalid')
  const can = shoppable ? 'Shoppable' : isUnjudged(validation) ? 'Not judged' : 'Not shoppable'
  const lines = [
    printable`${source}   ${verdict}, ${dialect === 'unknown' ? 'unknown version' : `version ${dialect}`}`,
    printable`  ${can}: ${shoppable_reason}`,
  ]
  for (const { field, code, message } of errors) {
    lines.push(printable`  ${paint('red', 'error')}    ${field}  ${paint('dim', code)}`)
    lines.push(printable`           ${message}`)
  }
  for (const warning of warnings) {
    lines.push(printable`  ${paint('yellow', 'warning')}  ${warning}`)
  }
  for (const [name, reach] of Object.entries(validation.reachability)) {
    lines.push(printable`  ${paint('dim', `${name}: ${reach}`)}`)
  }
  return printableLines(lines)
}
