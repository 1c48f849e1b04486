import { readFile } from 'node:fs/promises'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { createEngine } from '../audit/engine.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import type { Config } from '../config.ts'
import { CommandError } from './terminal/command-error.ts'
import { type Paint, painter, printable } from './terminal/paint.ts'
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
      ? JSON.stringify(validation, null, 2)
      : formatValidation(source, validation, painter(terminal.colour)),
  )
  return validation.valid ? 0 : 1
}

async function validateAt(url: string, config: Config): Promise<ManifestValidation> {
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
    throw new CommandError(`Cannot read ${path}: ${error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(
      `${path} is not valid JSON: ${error instanceof Error ? error.message : error}`,
    )
  }
}

function formatValidation(source: string, validation: ManifestValidation, paint: Paint): string {
  const { valid, dialect, shoppable, shoppable_reason, errors, warnings } = validation
  const verdict = valid ? paint('green', 'valid') : paint('red', 'invalid')
  const lines = [
    `${printable(source)}   ${verdict}, ${dialect === 'unknown' ? 'unknown version' : `version ${dialect}`}`,
    `  ${shoppable ? 'Shoppable' : 'Not shoppable'}: ${shoppable_reason}`,
  ]
  for (const { field, code, message } of errors) {
    lines.push(`  ${paint('red', 'error')}    ${printable(field)}  ${paint('dim', code)}`)
    lines.push(`           ${printable(message)}`)
  }
  for (const warning of warnings) {
    lines.push(`  ${paint('yellow', 'warning')}  ${printable(warning)}`)
  }
  for (const [name, reach] of Object.entries(validation.reachability)) {
    lines.push(`  ${paint('dim', `${name}: ${reach}`)}`)
  }
  return lines.join('\n')
}
