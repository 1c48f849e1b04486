import type { JSX } from 'preact'
import { formatAge, formatMoney, formatPercent } from '../../../shared/view/format.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import { surfaceName } from '../../../shared/view/SurfaceTable.tsx'
import type { RecentEvent } from '../../db/recent-events.ts'
import { useSite } from '../site.tsx'

const NAMES: Record<RecentEvent['event'], string> = {
  ai_session: 'Session',
  ai_product_viewed: 'Product viewed',
  ai_checkout_initiated: 'Checkout initiated',
  ai_checkout_completed: 'Checkout completed',
  ai_checkout_failed: 'Checkout failed',
  ai_test: 'Test event',
}

export interface RecentEventsProps {
  domain: string
  events: readonly RecentEvent[]
  now: Date
  /** Whether the key may write events. */
  canTest: boolean
}

/** What came in last, so that whoever builds the integration sees it work. */
export function RecentEvents({ domain, events, now, canTest }: RecentEventsProps): JSX.Element {
  const { path } = useSite()
  return (
    <section class="card no-print" id="events">
      <h2>Last events received</h2>
      {events.length === 0 ? (
        <p class="empty">Nothing has been received from {domain} yet.</p>
      ) : (
        <EventTable events={events} now={now} />
      )}
      {canTest && (
        <form method="post" action={path('/report/test-event')}>
          <input type="hidden" name="domain" value={domain} />
          <button type="submit" class="button">
            Send a test event
          </button>
          <p class="quiet">It goes the way of every event, is listed here, and counts nowhere.</p>
        </form>
      )}
    </section>
  )
}

function EventTable({ events, now }: Pick<RecentEventsProps, 'events' | 'now'>): JSX.Element {
  const { text, locale } = useLanguage()
  return (
    <div class="table-scroll">
      <table>
        <caption class="sr-only">Last events received, newest first</caption>
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
            <tr key={event.id}>
              <th scope="row">
                <time dateTime={event.received_at.toISOString()}>
                  {formatAge(event.received_at.toISOString(), now, locale)}
                </time>
              </th>
              <td>{NAMES[event.event]}</td>
              <td>{surfaceName(event.surface, text)}</td>
              <td class="number">{formatPercent(event.confidence, locale)}</td>
              <td>{event.source}</td>
              <td>
                <code class="clip">{event.session_id}</code>
              </td>
              <td class="number">
                {event.value !== null &&
                  event.currency !== null &&
                  formatMoney(event.value, event.currency, locale)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
