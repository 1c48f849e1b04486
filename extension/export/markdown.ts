import { capital } from '../../shared/web/text/capital.ts'
import {
  codeSpan as code,
  isInertLink,
  plainMarkdown as plain,
} from '../../shared/web/text/inert-markdown.ts'
import { type ExportedAudit, headOf, ORIGINS, pointsOf } from './exported-audit.ts'

/**
 * A task list for a developer or an agent. Text from a page is in code spans, where no reader takes
 * it for markup, a link or a mention.
 */
export function toMarkdown(audit: ExportedAudit): string {
  const { subject, result, gaps } = audit
  const tasks = gaps.flatMap((gap) => [
    `- [ ] **${plain(capital(gap.severity))}: ${plain(gap.label)}** ${code(gap.id)}${pointsOf(gap)}`,
    ...(gap.origin === undefined ? [] : [`  - ${plain(ORIGINS[gap.origin])}`]),
    `  - ${plain('Seen:')} ${code(gap.detail)}`,
    ...(gap.note === undefined ? [] : [`  - ${plain(gap.note)}`]),
    `  - ${plain('Fix:')} ${plain(gap.fix)}`,
    ...[gap.fix_url, gap.docs_url].filter(isInertLink).map((url) => `  - <${url}>`),
  ])
  const skipped = result.skipped.map(({ id, reason }) => `- ${code(id)}: ${code(reason)}`)
  const passed = result.passed.map((id) => `- ${code(id)}`)
  return [
    `# ${`Aisle: ${code(subject)}`}`,
    headOf(audit).map(plain).join('  \n'),
    section('To fix', tasks.length > 0 ? tasks : [plain('Nothing to fix was found.')]),
    ...(passed.length > 0 ? [section('Passed', passed)] : []),
    ...(skipped.length > 0 ? [section('Could not be judged', skipped)] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

const section = (title: string, lines: string[]): string =>
  `## ${plain(title)}\n\n${lines.join('\n')}`
