import { useState } from 'preact/hooks'
import type { Gap } from '../../../shared/audit/result/result.ts'
import type { GapView } from '../../../shared/view/audit/GapDetails.tsx'
import { useApp } from '../app/app-state.ts'
import { copyText } from '../export/copy-and-save.ts'

/**
 * Gives gaps their buttons: copy the fix or the ticket, and if `isHere` is true, show it on the
 * open page.
 */
export function useGapActions(announce: (sentence: string) => void) {
  const { page } = useApp()
  // The words themselves: another page has the same gap in other words.
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (words: string) => {
    const isCopied = await copyText(words)
    setCopied(isCopied ? words : null)
    announce(
      isCopied ? 'Copied' : 'The browser did not allow copying. Select the text and copy it.',
    )
  }
  const show = async (gap: Gap) =>
    announce(
      (await page.show(gap))
        ? 'Shown on the page. Press Escape there to close it.'
        : 'The page did not allow it. Reload it, then audit it again.',
    )
  return (gap: GapView, isHere: boolean): GapView => {
    const fix = `${gap.label}\n${gap.fix}\n`
    const { ticket = '' } = gap
    return {
      ...gap,
      copied: copied === fix,
      onCopy: () => void copy(fix),
      ticketCopied: copied === ticket,
      onCopyTicket: () => void copy(ticket),
      ...(isHere && { onShow: () => void show(gap) }),
    }
  }
}
