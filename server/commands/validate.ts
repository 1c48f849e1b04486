import { readFile } from 'node:fs/promises'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import {
  type Printable,
  printable,
  printableError,
  printableJson,
  printableLines,
} from '../../shared/web/printable.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import type { Config } from '../config.ts'
import { CommandError } from './terminal/command-error.ts'
import { type Paint, painter } from './terminal/paint.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Validates a manifest in a file or at a URL. Returns the exit code: 1 if it is invalid. */
export async function validateCommand(
  source: string,
  flags: { json?: boolean },
  config: Config,
  terminal: Terminal,
): Promise<number> {
  const validation = /^https?:\/\//i.test(source)
    ? await validateAt(source, config)
    : validateDocument(await readManifest(source))
  terminal.print(
    flags.json
      ? printableJson(validation)
      : formatValidation(source, validation, painter(terminal.colour)),
  )
  return validation.valid ? 0 : 1
}

async function validateAt(url: string, config: Config): Promise<ManifestValidation> {
  // A file is judged without the network.
  const { createEngine } = await import('../audit/engine.ts')
  const engine = createEngine(config, () => new Date())
  try {
    const caller = { key: 'command line' }
    return await engine.validateManifest(url, { caller, signal: new AbortController().signal })
  } finally {
    await engine.close()
  }
}

async function readManifest(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandError(printable`Cannot read ${path}: ${error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(printable`${path} is not valid JSON: ${printableError(error)}`)
  }
}

/** The verdict as a terminal shows it: whether it is valid, whether agents can buy, and what was found. */
export function formatValidation(
  source: string,
  validation: ManifestValidation,
  paint: Paint,
): Printable {
  const { valid, dialect, shoppable, shoppable_reason, errors, warnings } = validation
  const verdict = valid ? paint('green', 'valid') : paint('red', 'invalid')
  const lines = [
    printable`${source}   ${verdict}, ${dialect === 'unknown' ? 'unknown version' : `version ${dialect}`}`,
    printable`  ${shoppable ? 'Shoppable' : 'Not shoppable'}: ${shoppable_reason}`,
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
