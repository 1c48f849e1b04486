import type { Gap } from '../../../shared/audit/result.ts'
import type { Say } from '../../texts/say.ts'
import type { HighlightNote } from './highlighter.ts'
import type { HighlightTarget } from './target.ts'

/** What "show on page" draws for a gap of this audit. */
export function highlightNote(
  { targets }: { targets: Readonly<Record<string, HighlightTarget>> },
  gap: Gap,
  say: Say,
): HighlightNote {
  const target: HighlightTarget = Object.hasOwn(targets, gap.id)
    ? (targets[gap.id] ?? { kind: 'page' })
    : { kind: 'page' }
  return {
    target,
    title: gap.label,
    detail: gap.detail,
    ...wordsOf(target, say),
    close: say('highlight_close'),
  }
}

function wordsOf(target: HighlightTarget, say: Say): Pick<HighlightNote, 'hint' | 'absent'> {
  switch (target.kind) {
    case 'json_ld':
      return { hint: say('highlight_json_ld', target.block), absent: say('highlight_gone') }
    case 'microdata':
      return { hint: say('highlight_microdata'), absent: say('highlight_gone') }
    case 'snippet':
      return { hint: say('highlight_snippet'), absent: say('highlight_no_snippet') }
    case 'page':
      return { hint: say('highlight_page'), absent: say('highlight_page') }
  }
}
