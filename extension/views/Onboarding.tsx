import { Action } from '../../shared/view/Action.tsx'
import { onboarded } from '../stored/storage.ts'
import { useStored } from '../stored/use-stored.ts'
import { useApp } from './app/app-state.ts'

/** Three steps for the first time, until they are dismissed. */
export function Onboarding() {
  const { say } = useApp()
  const isDone = useStored(onboarded)
  if (isDone !== false) return null
  return (
    <section class="card onboarding">
      <h2>{say('onboarding_title')}</h2>
      <ol>
        <li>{say('onboarding_page')}</li>
        <li>{say('onboarding_fix')}</li>
        <li>{say('onboarding_server')}</li>
      </ol>
      <div class="actions">
        <Action label={say('onboarding_done')} onAct={() => void onboarded.setValue(true)} />
      </div>
    </section>
  )
}
