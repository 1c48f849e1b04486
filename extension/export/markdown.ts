import {
  codeSpan as code,
  isInertLink,
  plainMarkdown as plain,
} from '../../shared/web/text/inert-markdown.ts'
import type { MessageText } from '../texts/messages.ts'
import { type ExportedAudit, headOf, pointsOf } from './exported-audit.ts'

/**
 * A task list for a developer or an agent. Text from a page is in code spans, where no reader takes
 * it for markup, a link or a mention.
 */
export function toMarkdown(audit: ExportedAudit, text: MessageText): string {
  const { subject, result, gaps } = audit
  const tasks = gaps.flatMap((gap) => [
    `- [ ] **${plain(text(`severity_${gap.severity}`))}: ${plain(gap.label)}** ${code(gap.id)}${pointsOf(gap, text)}`,
    ...(gap.origin === undefined ? [] : [`  - ${plain(text(`export_origin_${gap.origin}`))}`]),
    `  - ${plain(text('export_seen'))} ${code(gap.detail)}`,
    ...(gap.note === undefined ? [] : [`  - ${plain(gap.note)}`]),
    `  - ${plain(text('export_fix'))} ${plain(gap.fix)}`,
    ...[gap.fix_url, gap.docs_url].filter(isInertLink).map((url) => `  - <${url}>`),
  ])
  const skipped = result.skipped.map(({ id, reason }) => `- ${code(id)}: ${code(reason)}`)
  const passed = result.passed.map((id) => `- ${code(id)}`)
  return [
    `# ${text('export_heading', code(subject))}`,
    headOf(audit, text).map(plain).join('  \n'),
    section(text('export_gaps'), tasks.length > 0 ? tasks : [plain(text('export_no_gaps'))]),
    ...(passed.length > 0 ? [section(text('export_passed'), passed)] : []),
    ...(skipped.length > 0 ? [section(text('export_skipped'), skipped)] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

const section = (title: string, lines: string[]): string =>
  `## ${plain(title)}\n\n${lines.join('\n')}`
