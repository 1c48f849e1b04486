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
  const { placement } = useApp()
  if (placement !== 'popup') return <Options />
  return (
    <Notice
      kind="info"
      title="The options open in a tab, because this window closes as soon as you click elsewhere."
      action={{
        label: 'Open the options',
        onAct: () => void browser.runtime.openOptionsPage(),
        primary: true,
      }}
    />
  )
}

function Options() {
  const [said, announce] = useAnnouncer()
  const clear = async () => {
    await forgetAudits()
    announce('The stored audits have been deleted.')
  }
  return (
    <>
      <ConnectionForm />
      <WhatIsSent />
      <section class="card">
        <h2>What is stored</h2>
        <p>
          The address of your server and its key, the view that was open last, the last 20 audits of
          pages, with their whole addresses, and of stores, 50 results per domain and the ids of the
          last walks, on this computer only. Until you close the browser, also the range of your
          last report.
        </p>
        <div class="actions">
          <Action label="Delete the stored audits" onAct={clear} />
        </div>
        <LiveRegion text={said} />
      </section>
    </>
  )
}
