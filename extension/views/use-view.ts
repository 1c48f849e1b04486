import { useEffect, useState } from 'preact/hooks'
import { chosenView } from '../stored/storage.ts'
import { isView, type Placement, type ViewId } from './app-state.ts'

/** The chosen view, kept for the next time; null until that of the last time was read. */
export function useView(placement: Placement): [ViewId | null, (view: ViewId) => void] {
  const [view, setView] = useState<ViewId | null>(placement === 'options' ? 'options' : null)
  useEffect(() => {
    if (placement === 'options') return
    void chosenView.getValue().then((kept) => setView(isView(kept) ? kept : 'page'))
  }, [placement])
  const choose = (chosen: ViewId) => {
    setView(chosen)
    if (placement !== 'options') void chosenView.setValue(chosen)
  }
  return [view, choose]
}
