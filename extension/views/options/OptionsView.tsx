import { browser } from 'wxt/browser'
import { Action } from '../../../shared/view/Action.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { forgetAudits } from '../../stored/storage.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { WhatIsSent } from './WhatIsSent.tsx'

/**
 * A popup closes as soon as it loses the focus, for instance to copy the key: there is a tab for it
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/user_interface/Popups).
 */
export function OptionsView() {
  const { text, placement } = useApp()
  if (placement !== 'popup') return <Options />
  return (
    <Notice
      kind="info"
      title={text('options_elsewhere')}
      action={{
        label: text('options_open'),
        onAct: () => void browser.runtime.openOptionsPage(),
        primary: true,
      }}
    />
  )
}

function Options() {
  const { text } = useApp()
  const [said, announce] = useAnnouncer()
  const clear = async () => {
    await forgetAudits()
    announce(text('options_cleared'))
  }
  return (
    <>
      <ConnectionForm />
      <WhatIsSent />
      <section class="card">
        <h2>{text('options_kept_title')}</h2>
        <p>{text('options_kept_text')}</p>
        <div class="actions">
          <Action label={text('options_clear')} onAct={clear} />
        </div>
        <LiveRegion text={said} />
      </section>
    </>
  )
}
