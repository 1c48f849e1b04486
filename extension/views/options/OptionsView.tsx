import { useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { Action } from '../../../shared/view/Action.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { forgetAudits } from '../../stored/storage.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { WhatIsSent } from './WhatIsSent.tsx'

/** A popup closes as soon as the person looks for the key elsewhere: there is a tab for it. */
export function OptionsView() {
  const { say, placement } = useApp()
  if (placement !== 'popup') return <Options />
  return (
    <Notice
      kind="info"
      title={say('options_elsewhere')}
      action={{
        label: say('options_open'),
        onAct: () => void browser.runtime.openOptionsPage(),
        primary: true,
      }}
    />
  )
}

function Options() {
  const { say } = useApp()
  const [said, announce] = useAnnouncer()
  const [isCleared, setCleared] = useState(false)
  const clear = async () => {
    await forgetAudits()
    setCleared(true)
    announce(say('options_cleared'))
  }
  return (
    <>
      <ConnectionForm />
      <WhatIsSent />
      <section class="card">
        <h2>{say('options_kept_title')}</h2>
        <p>{say('options_kept_text')}</p>
        <div class="actions">
          <Action label={say('options_clear')} onAct={clear} />
        </div>
        <LiveRegion text={isCleared ? said : ''} />
      </section>
    </>
  )
}
