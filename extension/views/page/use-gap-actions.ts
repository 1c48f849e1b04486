import { useState } from 'preact/hooks'
import type { Gap } from '../../../shared/audit/result.ts'
import type { GapView } from '../../../shared/view/audit/GapList.tsx'
import { useApp } from '../app/app-state.ts'
import { copyText } from '../export/copy-and-save.ts'

/**
 * Gives gaps their buttons: copy the fix or the ticket, and where `isHere` holds, show it on the
 * open page.
 */
export function useGapActions(announce: (sentence: string) => void) {
  const { text, page } = useApp()
  const [copied, setCopied] = useState<{ id: string; what: 'fix' | 'ticket' } | null>(null)
  const copy = async (id: string, what: 'fix' | 'ticket', words: string) => {
    const isCopied = await copyText(words)
    setCopied(isCopied ? { id, what } : null)
    announce(text(isCopied ? 'copied' : 'copy_failed'))
  }
  const isCopied = ({ id }: Gap, what: 'fix' | 'ticket') =>
    copied?.id === id && copied.what === what
  const show = async (gap: Gap) =>
    announce(text((await page.show(gap)) ? 'page_shown' : 'page_not_shown'))
  return (gap: GapView, isHere: boolean): GapView => ({
    ...gap,
    copied: isCopied(gap, 'fix'),
    onCopy: () => void copy(gap.id, 'fix', `${gap.label}\n${gap.fix}\n`),
    ticketCopied: isCopied(gap, 'ticket'),
    onCopyTicket: () => void copy(gap.id, 'ticket', gap.ticket ?? ''),
    ...(isHere && { onShow: () => void show(gap) }),
  })
}
