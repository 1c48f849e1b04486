import type * as z from 'zod'
import { printable, printableLines } from '../../../shared/web/printable.ts'
import { CommandError } from './command-error.ts'

/**
 * What is wrong with a request that flags were made into, each by its flag: `names` has those that
 * are not called as the field is. Of a list, the entry that is wrong is quoted.
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
