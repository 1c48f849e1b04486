import { useState } from 'preact/hooks'
import type { Gap } from '../../../shared/audit/result.ts'
import type { GapView } from '../../../shared/view/audit/GapList.tsx'
import { useApp } from '../app/app-state.ts'
import { copyText } from '../export/copy-and-save.ts'

/** Gives gaps their buttons: copy the fix, and where `isHere` holds, show it on the open page. */
export function useGapActions(announce: (sentence: string) => void) {
  const { text, page } = useApp()
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async ({ id, label, fix }: Gap) => {
    const isCopied = await copyText(`${label}\n${fix}\n`)
    setCopied(isCopied ? id : null)
    announce(text(isCopied ? 'copied' : 'copy_failed'))
  }
  const show = async (gap: Gap) =>
    announce(text((await page.show(gap)) ? 'page_shown' : 'page_not_shown'))
  return (gap: GapView, isHere: boolean): GapView => ({
    ...gap,
    copied: copied === gap.id,
    onCopy: () => void copy(gap),
    ...(isHere && { onShow: () => void show(gap) }),
  })
}
