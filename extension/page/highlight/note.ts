import type { Gap } from '../../../shared/audit/result/result.ts'
import type { MessageText } from '../../texts/messages.ts'
import type { HighlightNote } from './highlighter.ts'
import type { HighlightTarget } from './target.ts'

/** What "show on page" draws for a gap of this audit; `text` gives the words. */
export function highlightNote(
  { targets }: { targets: Readonly<Record<string, HighlightTarget>> },
  gap: Gap,
  text: MessageText,
): HighlightNote {
  const target: HighlightTarget = Object.hasOwn(targets, gap.id)
    ? (targets[gap.id] ?? { kind: 'page' })
    : { kind: 'page' }
  return {
    target,
    title: gap.label,
    detail: gap.detail,
    ...wordsOf(target, text),
    close: text('highlight_close'),
  }
}

function wordsOf(
  target: HighlightTarget,
  text: MessageText,
): Pick<HighlightNote, 'hint' | 'absent'> {
  switch (target.kind) {
    case 'json_ld':
      return { hint: text('highlight_json_ld', target.block), absent: text('highlight_gone') }
    case 'microdata':
      return { hint: text('highlight_microdata'), absent: text('highlight_gone') }
    case 'snippet':
      return { hint: text('highlight_snippet'), absent: text('highlight_no_snippet') }
    case 'page':
      return { hint: text('highlight_page'), absent: text('highlight_page') }
  }
}
