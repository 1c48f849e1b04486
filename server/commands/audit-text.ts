import { capText, firstStepsText, holdsText } from '../../shared/audit/gap/cap-text.ts'
import { holdsAt } from '../../shared/audit/gap/first-to-close.ts'
import { NO_PROTOCOL, splitNoProtocol } from '../../shared/audit/gap/no-protocol.ts'
import { pointsText } from '../../shared/audit/gap/ticket.ts'
import { auditVerdict } from '../../shared/audit/gap/verdict.ts'
import { findRemedy } from '../../shared/audit/platforms/remedies.ts'
import type { Readiness } from '../../shared/audit/readiness/groups.ts'
import { inPlaceText, openItems } from '../../shared/audit/readiness/summary.ts'
import type { AuditResult, Gap } from '../../shared/audit/result/result.ts'
import { CATEGORIES } from '../../shared/audit/score.ts'
import type { Severity } from '../../shared/audit/vocabulary.ts'
import { catalogShare } from '../../shared/view/audit/catalog-share.ts'
import { localShopPort, withLocalAddresses } from '../../shared/web/address/local-shop.ts'
import { signedAsText } from '../../shared/web/signed-as.ts'
import { seenWithText } from '../../shared/web/site-access.ts'
import { counted } from '../../shared/web/text/english-count.ts'
import { type Printable, printable, printableLines } from '../../shared/web/text/printable.ts'
import { momentText, type Subject } from './formats/report.ts'
import type { Paint, Style } from './terminal/paint.ts'
import { wrap } from './terminal/wrap.ts'

/** Set where the program is built for the package of the commands (`server/build/compile.ts`). */
declare const PACKAGED: true

/**
 * In a checkout the commands run through npx. The package is run by its own name: npx might find
 * another package of that name on npm.
 */
const AISLE = typeof PACKAGED === 'undefined' ? 'npx aisle' : 'aisle'

const SEVERITY_STYLE: Record<Severity, Style> = {
  critical: ['bold', 'red'],
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
}

const GRADE_STYLE: Record<AuditResult['grade'], Style> = {
  A: ['bold', 'green'],
  B: ['bold', 'yellow'],
  C: ['bold', 'red'],
  D: ['bold', 'red'],
}

const BAR_CELLS = 20
const INDENT = '            '

/** An audit as a person reads it in a terminal of `width` columns. */
export function formatReport(audited: AuditResult, paint: Paint, width = 100): Printable {
  const result = withAddresses(audited)
  const { domain, score, grade, breakdown, coverage, gaps, passed, skipped } = result
  const { catalog_seen, platform, signed_as, seen_with } = result
  const verdict = auditVerdict(result)
  const lines: (string | Printable)[] = [
    '',
    printable`${paint('bold', domain)}   ${paint(GRADE_STYLE[grade], `${score} of 100, grade ${grade}`)}`,
    ...(verdict === null ? [] : wrap(verdict, '', width)),
    `Judged ${coverage.judged} of ${coverage.applicable} rules.`,
    ...(catalog_seen ? wrap(catalogShare(catalog_seen).join(' '), '', width) : []),
    ...(signed_as ? wrap(signedAsText(signed_as), '', width) : []),
    ...(seen_with ? wrap(seenWithText(seen_with), '', width) : []),
    ...[capText(result), firstStepsText(result)].flatMap((text) =>
      text === null ? [] : wrap(text, '', width),
    ),
    ...(platform
      ? wrap(
          `This store runs on ${platform.name}, recognised by ${platform.seen_by.join(', ')}.`,
          '',
          width,
        )
      : []),
    '',
  ]
  for (const category of CATEGORIES) {
    const part = breakdown[category]
    if (part === undefined) continue
    const judged = coverage.breakdown[category]
    const filled = Math.round((part / 100) * BAR_CELLS)
    const bar = printable`${'█'.repeat(filled)}${paint('dim', '░'.repeat(BAR_CELLS - filled))}`
    lines.push(
      printable`  ${category.padEnd(16)}${String(part).padStart(3)}  ${bar}${judged ? `  ${judged.judged} of ${judged.applicable}` : ''}`,
    )
  }
  const split = splitNoProtocol(gaps)
  lines.push('')
  lines.push(
    gaps.length === 0
      ? paint('green', '  No gaps.')
      : paint(
          'bold',
          `  ${counted(gaps.length, 'gap')}, ${split === null ? 'worst first' : 'what can be fixed without an agent protocol first'}`,
        ),
  )
  const gapLines = (gap: Gap) => linesOf(gap, result, paint, width)
  lines.push(...(split?.rest ?? gaps).flatMap(gapLines))
  if (split !== null) {
    const severity = paint(SEVERITY_STYLE.critical, 'critical'.padEnd(10))
    lines.push('', printable`  ${severity}${paint('bold', NO_PROTOCOL.title)}`)
    lines.push(...wrap(NO_PROTOCOL.about, INDENT, width), ...split.cause.flatMap(gapLines))
  }
  const { readiness, product_pages } = result
  if (readiness.length > 0) lines.push('', '  Routes to market; not in the score')
  for (const group of readiness) lines.push(...readinessLines(group, paint, width))
  if (readiness.some((group) => openItems(group).length > 0)) {
    lines.push(paint('dim', '    What to do about each: --json, or the page of the audit.'))
  }
  if (product_pages.length > 0) {
    lines.push('', `  Judged as product pages: ${product_pages.length}.`)
    for (const { url, because } of product_pages) {
      const why = [`${url}`, ...because.slice(0, 2)].join('; ')
      lines.push(...wrap(why, '    ', width).map((line) => paint('dim', line)))
    }
  }
  lines.push('', `  Passed: ${passed.length}. Could not be judged: ${skipped.length}.`)
  for (const [reason, ids] of Map.groupBy(skipped, (each) => each.reason)) {
    const names = ids.map(({ id }) => id).join(', ')
    lines.push(...wrap(`${reason}: ${names}`, '    ', width).map((line) => paint('dim', line)))
  }
  return printableLines([...lines, ''])
}

/** A gap of a report. */
function linesOf(
  gap: Gap,
  { cap, platform }: AuditResult,
  paint: Paint,
  width: number,
): (string | Printable)[] {
  const severity = paint(SEVERITY_STYLE[gap.severity], gap.severity.padEnd(10))
  const held = holdsAt(gap, cap)
  const remedy = platform ? findRemedy(platform.id, gap.id) : null
  return [
    '',
    printable`  ${severity}${paint('bold', gap.label)}${pointsOf(gap, cap)}  ${paint('dim', gap.id)}`,
    ...(held === null ? [] : wrap(holdsText(held), INDENT, width)),
    ...wrap(gap.detail, INDENT, width),
    // Without a service its address is a placeholder.
    ...wrap(`Fix: ${gap.fix.replaceAll('{cdn_url}', '<address of your Aisle>')}`, INDENT, width),
    ...(platform && remedy ? wrap(`On ${platform.name}: ${remedy.steps}`, INDENT, width) : []),
    ...(gap.fix_url === null ? [] : [`${INDENT}Tool: ${gap.fix_url}`]),
    `${INDENT}More: ${gap.docs_url ?? `${AISLE} explain ${gap.id}`}`,
  ]
}

/** The result with the addresses that a browser opens, where the store is on this machine. */
const withAddresses = (result: AuditResult): AuditResult =>
  localShopPort(result.domain) === null
    ? result
    : JSON.parse(withLocalAddresses(JSON.stringify(result)))

/**
 * How much of one route is in place and, of the shortest of its vendor, the names of the rest:
 * --json has the fixes.
 */
function readinessLines(group: Readiness, paint: Paint, width: number): (string | Printable)[] {
  const { ended, label, shortest } = group
  if (ended !== undefined) {
    return [printable`  ${paint('bold', label)}`, ...wrap(ended, '    ', width)]
  }
  const open = shortest === true ? openItems(group) : []
  const named = (word: string, isOpen: (item: (typeof open)[number]) => boolean) => {
    const labels = open.filter(isOpen).map((each) => each.label)
    return labels.length === 0 ? [] : wrap(`${word}: ${labels.join('; ')}.`, '    ', width)
  }
  return [
    printable`  ${paint('bold', label)}  ${inPlaceText(group)}${shortest === true ? '; the shortest' : ''}`,
    ...named('Missing', ({ state }) => state === 'no'),
    ...named('To check', ({ state }) => state !== 'no'),
  ]
}

/** The points that closing this gap alone adds at least; empty where they are not known. */
function pointsOf(gap: Gap, cap: AuditResult['cap']): string {
  const { points, held_back } = gap
  if (points === undefined) return ''
  return `  ${pointsText(points)}${held_back && holdsAt(gap, cap) === null ? ' once not capped' : ''}`
}

/** The outcome against the run's limits: nothing without limits. */
export function formatVerdict(
  {
    findings,
    failures,
    remarks,
    since,
  }: Pick<Subject, 'findings' | 'failures' | 'remarks' | 'since'>,
  paint: Paint,
  width = 100,
): (string | Printable)[] {
  const lines: (string | Printable)[] = []
  if (since !== null) {
    const fresh = findings.filter(({ isNew }) => isNew === true)
    const counts = `${fresh.length} new, ${since.fixed.length} fixed, ${since.open} still open`
    lines.push(
      printable`  ${paint('bold', 'Since the baseline')} of ${momentText(since.at)}: ${counts}.`,
    )
    for (const { id, problem } of fresh)
      lines.push(...wrap(`New: ${problem}, ${id}`, '    ', width))
    for (const label of since.fixed) lines.push(...wrap(`Fixed: ${label}`, '    ', width))
  }
  for (const { id, state, why } of findings) {
    if (state === 'ignored') lines.push(...wrap(`${id}: ${why}`, '  ', width))
  }
  for (const remark of remarks) lines.push(...wrap(remark, '  ', width))
  for (const failure of failures) {
    const [first = '', ...rest] = wrap(failure, '         ', width)
    lines.push(printable`  ${paint(['bold', 'red'], 'Fails:')} ${first.trimStart()}`, ...rest)
  }
  return lines.length === 0 ? [] : [...lines, '']
}
