import type { Gap } from '../../shared/audit.ts'
import type { Say } from '../say.ts'
import type { HighlightNote } from './highlighter.ts'
import type { HighlightTarget, PageAudit } from './page-audit.ts'

/** What "show on page" draws for a gap of this audit. */
export function highlightNote({ targets }: PageAudit, gap: Gap, say: Say): HighlightNote {
  const target: HighlightTarget = Object.hasOwn(targets, gap.id)
    ? (targets[gap.id] ?? { kind: 'page' })
    : { kind: 'page' }
  return {
    target,
    title: gap.label,
    detail: gap.detail,
    hint: hintOf(target, say),
    close: say('highlight_close'),
  }
}

function hintOf(target: HighlightTarget, say: Say): string {
  if (target.kind === 'json_ld') return say('highlight_json_ld', target.block)
  if (target.kind === 'snippet') return say('highlight_snippet')
  return say(target.kind === 'microdata' ? 'highlight_gone' : 'highlight_page')
}
