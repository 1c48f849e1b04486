import type * as z from 'zod'
import { printable, printableLines } from '../../../shared/web/text/printable.ts'
import { CommandError } from './command-error.ts'

/**
 * The errors of a request that was made from flags, each by its flag: `names` has those whose name
 * differs from the field. For a list, the wrong entry is quoted.
 */
export function wrongFlags(
  { issues }: z.ZodError,
  asked: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): CommandError {
  const problems = issues.map(({ path: [field, index], message }) => {
    const name = String(field)
    const list = asked[name]
    const wrong = Array.isArray(list) && typeof index === 'number' ? `"${list[index]}": ` : ''
    return printable`${names[name] ?? `--${name.replaceAll('_', '-')}`}: ${wrong}${message}`
  })
  return new CommandError(printableLines(problems))
}
