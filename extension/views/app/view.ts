import { useEffect, useState } from 'preact/hooks'
import { chosenView } from '../../stored/storage.ts'

/** Where the browser shows the app. */
export type Placement = 'panel' | 'popup' | 'tab' | 'options'

export const VIEWS = ['page', 'store', 'manifest', 'report', 'options'] as const
export type ViewId = (typeof VIEWS)[number]

export const isView = (name: string): name is ViewId => VIEWS.some((view) => view === name)

/**
 * The chosen view, kept for the next time; null until it was read. Unspecified: the options are not
 * kept, because the toolbar button promises an audit of the page.
 */
export function useView(placement: Placement): [ViewId | null, (view: ViewId) => void] {
  const [view, setView] = useState<ViewId | null>(placement === 'options' ? 'options' : null)
  useEffect(() => {
    if (placement === 'options') return
    void chosenView.getValue().then((kept) => setView(isView(kept) ? kept : 'page'))
  }, [placement])
  const choose = (chosen: ViewId) => {
    setView(chosen)
    if (placement !== 'options' && chosen !== 'options') void chosenView.setValue(chosen)
  }
  return [view, choose]
}
