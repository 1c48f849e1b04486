import { linksTo } from '../../../shared/audit/gap/links.ts'
import { Action } from '../../../shared/view/Action.tsx'
import { WalkView } from '../../../shared/view/walk/WalkView.tsx'
import { isWalkOver } from '../../../shared/walk/stored-walk.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import type { Server } from '../app/server.ts'
import { copyText } from '../export/copy-and-save.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { useStoreWalk } from './use-store-walk.ts'

/** Purchases that the server makes in a store: not started, running, or over. */
export function StoreWalkView({ server, domain }: { server: Server; domain: string }) {
  const { text } = useApp()
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
          <h2>{text('walk_ask_title')}</h2>
          <p>{text('walk_ask_text', domain)}</p>
          {isRunning && <progress aria-label={text('walk_under_way')} />}
          <div class="actions">
            {isRunning ? (
              <Action label={text('walk_stop')} onAct={stop} />
            ) : (
              <Action label={text('walk_ask', domain)} onAct={start} />
            )}
          </div>
          <LiveRegion text={isRunning && isStopping ? text('walk_stopping') : ''} />
          <p class="quiet">{text('walk_ask_own', domain, server.name)}</p>
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
              if (isCopied) announce(text('copied'))
            })
          }}
        >
          <div class="actions">
            <Action label={text('walk_open_page')} href={page} newTab />
            {!isRunning && <Action label={text('walk_ask_again')} onAct={start} />}
          </div>
        </WalkView>
      )}
      <LiveRegion text={said} />
    </>
  )
}
