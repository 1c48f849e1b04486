import { Action } from '../../shared/view/Action.tsx'
import { onboarded } from '../stored/storage.ts'
import { useStored } from '../stored/use-stored.ts'

/** Three steps for the first time, until they are dismissed. */
export function Onboarding() {
  const isDone = useStored(onboarded)
  if (isDone !== false) return null
  return (
    <section class="card onboarding">
      <h2>Three steps</h2>
      <ol>
        <li>Open a page of your store and click the toolbar button: the page is audited here.</li>
        <li>Start with the first gap: copy the fix, or show the place on the page.</li>
        <li>
          Connect an Aisle server under Options to audit the whole store and see what AI sends you.
        </li>
      </ol>
      <div class="actions">
        <Action label="Got it" onAct={() => void onboarded.setValue(true)} />
      </div>
    </section>
  )
}
