import { Action } from '../../shared/view/Action.tsx'
import { onboarded } from '../stored/storage.ts'
import { useStored } from '../stored/use-stored.ts'
import { useApp } from './app/app-state.ts'

/** Three steps for the first time, until they are dismissed. */
export function Onboarding() {
  const { text } = useApp()
  const isDone = useStored(onboarded)
  if (isDone !== false) return null
  return (
    <section class="card onboarding">
      <h2>{text('onboarding_title')}</h2>
      <ol>
        <li>{text('onboarding_page')}</li>
        <li>{text('onboarding_fix')}</li>
        <li>{text('onboarding_server')}</li>
      </ol>
      <div class="actions">
        <Action label={text('onboarding_done')} onAct={() => void onboarded.setValue(true)} />
      </div>
    </section>
  )
}
