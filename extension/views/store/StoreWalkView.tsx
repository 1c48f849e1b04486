import { linksTo } from '../../../shared/audit/gap/links.ts'
import { Action } from '../../../shared/view/Action.tsx'
import { WalkView } from '../../../shared/view/walk/WalkView.tsx'
import { isWalkOver } from '../../../shared/walk/stored-walk.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import type { Server } from '../app/server.ts'
import { copyText } from '../export/copy-and-save.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { useStoreWalk } from './use-store-walk.ts'

/** Purchases that the server makes in a store: not started, running, or over. */
export function StoreWalkView({ server, domain }: { server: Server; domain: string }) {
  const { task, walk, isStopping, start, retry, stop } = useStoreWalk(server, domain)
  const [said, announce] = useAnnouncer()
  const isRunning = task.is === 'running'
  const page = walk === null ? null : `${server.url}/walks/${walk.id}`
  return (
    <>
      {task.is === 'failed' && (
        <FailureNotice failure={task.failure} at={task.at} onRetry={retry} />
      )}
      {(walk === null || isRunning) && (
        <section class={isRunning ? 'card running' : 'card'}>
          <h2>Walk a purchase</h2>
          <p>
            The server buys in {domain} as an AI agent does, up to the payment, and shows where it
            stops. It opens checkouts and cancels each of them; your store may count them as
            abandoned.
          </p>
          {isRunning && <progress aria-label="The walk is under way" />}
          <div class="actions">
            {isRunning ? (
              <Action label="Stop the walk" onAct={stop} />
            ) : (
              <Action label={`Walk a purchase in ${domain}`} onAct={start} />
            )}
          </div>
          <LiveRegion
            text={
              isRunning && isStopping
                ? 'Stopping: what is open in your store is cancelled first.'
                : ''
            }
          />
          <p class="quiet">
            For stores of your own: the key has to cover {domain}. Only the domain name and your key
            are sent to {server.name}.
          </p>
        </section>
      )}
      {walk !== null && page !== null && (
        <WalkView
          transcript={walk.transcript}
          isLive={isRunning && !isWalkOver(walk.state)}
          links={linksTo(server.url)}
          level={2}
          newTab
          aloneHref={({ dialect, intent }) => `${page}?purchase=${dialect}.${intent}`}
          onCopy={(message) => {
            void copyText(message).then((isCopied) => {
              if (isCopied) announce('Copied')
            })
          }}
        >
          <div class="actions">
            <Action label="Open its page" href={page} newTab />
            {!isRunning && <Action label="Walk again" onAct={start} />}
          </div>
        </WalkView>
      )}
      <LiveRegion text={said} />
    </>
  )
}
