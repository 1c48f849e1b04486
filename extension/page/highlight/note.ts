import type { Gap } from '../../../shared/audit/result/result.ts'
import type { HighlightNote } from './highlighter.ts'
import type { HighlightTarget } from './target.ts'

/** What "show on page" draws for a gap of this audit. */
export function highlightNote(
  { targets }: { targets: Readonly<Record<string, HighlightTarget>> },
  gap: Gap,
): HighlightNote {
  const target: HighlightTarget = Object.hasOwn(targets, gap.id)
    ? (targets[gap.id] ?? { kind: 'page' })
    : { kind: 'page' }
  return {
    target,
    title: gap.label,
    detail: gap.detail,
    ...wordsOf(target),
    close: 'Close',
  }
}

function wordsOf(target: HighlightTarget): Pick<HighlightNote, 'hint' | 'absent'> {
  switch (target.kind) {
    case 'json_ld':
      return {
        hint: `JSON-LD block ${target.block}. It is not visible on the page. It begins with:`,
        absent: 'It is no longer on the page. Audit the page again.',
      }
    case 'microdata':
      return {
        hint: 'This markup is not visible: it describes the highlighted product.',
        absent: 'It is no longer on the page. Audit the page again.',
      }
    case 'snippet':
      return {
        hint: 'The attribution tag. It is not visible.',
        absent: 'There is no attribution tag on this page.',
      }
    case 'page':
      return { hint: 'This applies to the whole page.', absent: 'This applies to the whole page.' }
  }
}
