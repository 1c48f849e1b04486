import type { GapDoc } from '../../shared/audit/gap-doc.ts'
import {
  EVIDENCE_READS,
  findGapDoc,
  GAP_RULES,
  type GapRule,
  SEVERITY_MEANS,
} from '../../shared/audit/gap-docs.ts'
import { gapPageOf, gapsLike } from '../../shared/audit/gap-page.ts'
import { sourcesOf } from '../../shared/audit/gap-sources.ts'
import { remediesOf } from '../../shared/audit/remedies.ts'
import { wordsOf } from '../../shared/view/audit/check-names.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../shared/web/printable.ts'
import { CommandError } from './terminal/command-error.ts'
import { type Paint, painter } from './terminal/paint.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrap } from './terminal/wrap.ts'

/** The page of a gap, as the service shows it, in the terminal; without an id the list of all. */
export function explainCommand(
  id: string | undefined,
  flags: { json?: boolean },
  terminal: Terminal,
): void {
  if (id === undefined) {
    const listed = GAP_RULES.map(({ gap, check, severity, label }) => ({
      id: gap,
      check,
      severity,
      label,
    }))
    terminal.print(
      flags.json
        ? printableJson(listed)
        : printableLines(listed.map((each) => `${each.id.padEnd(44)}  ${each.label}`)),
    )
    return
  }
  const found = findGapDoc(id)
  if (found === null) {
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
      : pageOf(found.rule, found.doc, painter(terminal.colour), terminal.width),
  )
}

function pageOf(rule: GapRule, doc: GapDoc, paint: Paint, width: number): Printable {
  const { gap, check, severity, label, fix, reads, authority } = rule
  const text = (words: string) => wrap(words, '  ', width)
  const code = (example: string) => example.split('\n').map((line) => `    ${line}`)
  const part = (title: string, lines: readonly string[]) => ['', paint('bold', title), ...lines]
  return printableLines([
    '',
    printable`${paint('bold', label)}  ${paint('dim', gap)}`,
    ...part('What it means', text(doc.meaning)),
    ...part('Why it matters', text(doc.why)),
    ...part('How to fix it', [
      ...text(fix),
      ...remediesOf(gap).flatMap(({ name, remedy }) => text(`On ${name}: ${remedy.steps}`)),
    ]),
    ...part('Before', code(doc.before)),
    ...part('After', code(doc.after)),
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
