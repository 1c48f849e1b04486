import type { JSX } from 'preact'
import { UNATTRIBUTED } from '../../../../shared/attribution/classify/visit.ts'
import type { ReportedSource } from '../../../../shared/attribution/events.ts'
import { surfaceName } from '../../../../shared/attribution/surfaces.ts'
import { formatAmount, formatPercent } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { ScrollTable } from '../../../../shared/view/ScrollTable.tsx'
import type { RecentEvent } from '../../../db/events/recent.ts'
import { useSite } from '../../site.tsx'

const NAMES: Record<RecentEvent['event'], string> = {
  ai_session: 'Session',
  ai_product_viewed: 'Product viewed',
  ai_checkout_initiated: 'Checkout started',
  ai_checkout_completed: 'Order',
  ai_checkout_failed: 'Checkout failed',
  ai_order_refunded: 'Refund',
  ai_refund_unmatched: 'Refund (not counted)',
  ai_test: 'Test event',
}

const SOURCES: Record<ReportedSource, string> = { ucp: 'UCP', acp: 'ACP', web: 'Web' }

export interface RecentEventsProps {
  domain: string
  events: readonly RecentEvent[]
  now: Date
  /** Whether the key may write events. */
  canTest: boolean
  /** Open while there is nothing else to see, and after a test event. */
  isOpen: boolean
}

/** The latest events, so that an integrator can see the integration work. */
export function RecentEvents(props: RecentEventsProps): JSX.Element {
  const { domain, events, now, canTest, isOpen } = props
  const { path } = useSite()
  return (
    <details class="card no-print" id="events" open={isOpen}>
      <summary>
        <h2 class="folded-title">Last events received</h2>
      </summary>
      {events.length === 0 ? (
        <p class="empty">Nothing has been received from {domain} yet.</p>
      ) : (
        <EventTable events={events} now={now} />
      )}
      {canTest && (
        <form method="post" action={path('/report/test-event')} class="inline-form">
          <input type="hidden" name="domain" value={domain} />
          <button type="submit" class="button">
            Send a test event
          </button>
          <p class="quiet">It is processed like any event and listed here, but never counted.</p>
        </form>
      )}
    </details>
  )
}

function EventTable({ events, now }: Pick<RecentEventsProps, 'events' | 'now'>): JSX.Element {
  return (
    <ScrollTable label="Events, newest first">
      <table>
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Event</th>
            <th scope="col">Surface</th>
            <th scope="col" class="number">
              Confidence
            </th>
            <th scope="col">Source</th>
            <th scope="col">Session</th>
            <th scope="col" class="number">
              Value
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow key={event.id} event={event} now={now} />
          ))}
        </tbody>
      </table>
    </ScrollTable>
  )
}

function EventRow({ event, now }: { event: RecentEvent; now: Date }): JSX.Element {
  const { locale } = useLanguage()
  const { surface, kind, confidence, source, session_id, value, currency } = event
  const isOfAi = event.event !== 'ai_test' && kind !== UNATTRIBUTED
  return (
    <tr>
      <td>
        <Moment at={event.received_at.toISOString()} now={now} />
      </td>
      <th scope="row">{NAMES[event.event]}</th>
      <td>{isOfAi ? surfaceName(surface) : '–'}</td>
      <td class="number">{isOfAi ? formatPercent(confidence, locale) : '–'}</td>
      <td>{SOURCES[source]}</td>
      <td>
        <code class="clip" title={session_id}>
          {session_id}
        </code>
      </td>
      <td class="number">{value === null ? '–' : formatAmount(value, currency, locale)}</td>
    </tr>
  )
}
