import { useEffect, useState } from 'preact/hooks'
import { chosenView } from '../stored/storage.ts'
import { isView, type Surface, type ViewId } from './app-state.ts'

/** The chosen view, kept for the next time; null until that of the last time was read. */
export function useView(surface: Surface): [ViewId | null, (view: ViewId) => void] {
  const [view, setView] = useState<ViewId | null>(surface === 'options' ? 'options' : null)
  useEffect(() => {
    if (surface === 'options') return
    void chosenView.getValue().then((kept) => setView(isView(kept) ? kept : 'page'))
  }, [surface])
  const choose = (chosen: ViewId) => {
    setView(chosen)
    if (surface !== 'options') void chosenView.setValue(chosen)
  }
  return [view, choose]
}
