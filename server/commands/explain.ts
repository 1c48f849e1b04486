import { findGapRule, GAP_RULES, type GapRule } from '../../shared/audit/checks/index.ts'
import { EVIDENCE_READS } from '../../shared/audit/evidence.ts'
import { gapPageOf, gapsLike } from '../../shared/audit/gap/page.ts'
import { gapRecordOf } from '../../shared/audit/gap/record.ts'
import { sourcesOf } from '../../shared/audit/gap/sources.ts'
import { remediesOf } from '../../shared/audit/platforms/remedies.ts'
import { SEVERITY_MEANS } from '../../shared/audit/vocabulary.ts'
import { gapWords } from '../../shared/audit/words.ts'
import { wordsOf } from '../../shared/view/audit/check-names.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../shared/web/text/printable.ts'
import { CommandError } from './terminal/command-error.ts'
import { type Paint, painter } from './terminal/paint.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrap } from './terminal/wrap.ts'

/** The page of a gap, like that of the service, in the terminal; without an id the list of all. */
export function explainCommand(
  id: string | undefined,
  flags: { json?: boolean },
  terminal: Terminal,
): void {
  if (id === undefined) {
    const listed = GAP_RULES.map(gapRecordOf)
    terminal.print(
      flags.json
        ? printableJson(listed)
        : printableLines(listed.map((each) => `${each.id.padEnd(44)}  ${each.label}`)),
    )
    return
  }
  const rule = findGapRule(id)
  if (rule === null) {
    const near = gapsLike(id)
    throw new CommandError(
      near.length === 0
        ? printable`"${id}" is not a gap. List them all with: aisle explain`
        : printable`"${id}" is not a gap. Did you mean ${near.join(', ')}?`,
    )
  }
  terminal.print(
    flags.json
      ? printableJson(gapPageOf(id))
      : pageOf(rule, painter(terminal.colour), terminal.width),
  )
}

function pageOf(rule: GapRule, paint: Paint, width: number): Printable {
  const { gap, check, severity, label, fix, reads, authority } = rule
  const { meaning, why, before, after } = gapWords(gap)
  const text = (words: string) => wrap(words, '  ', width)
  const code = (example: string) => example.split('\n').map((line) => `    ${line}`)
  const part = (title: string, lines: readonly string[]) => ['', paint('bold', title), ...lines]
  return printableLines([
    '',
    printable`${paint('bold', label)}  ${paint('dim', gap)}`,
    ...part('What it means', text(meaning)),
    ...part('Why it matters', text(why)),
    ...part('How to fix it', [
      ...text(fix),
      ...remediesOf(gap).flatMap(({ name, remedy }) => text(`On ${name}: ${remedy.steps}`)),
    ]),
    ...part('Before', code(before)),
    ...part('After', code(after)),
    ...part('How it was judged', [
      ...text(`Check: ${wordsOf(check)}. Severity: ${severity}, ${SEVERITY_MEANS[severity]}.`),
      ...text(`Reads: ${reads.map((key) => EVIDENCE_READS[key]).join('; ')}.`),
      ...sourcesOf(authority).map(
        ({ title, url }) => `  ${url === null ? title : `${title}: ${url}`}`,
      ),
    ]),
    '',
  ])
}
