import type { ComponentChildren, JSX } from 'preact'
import type { Transcript } from '../../walk/transcript.ts'
import { NEW_TAB } from '../Action.tsx'
import { safeHref } from '../audit/safe-href.ts'
import { Moment } from '../Moment.tsx'
import { Notice } from '../Notice.tsx'

/** What the walk left in the store, for its owner to clean up. */
export function Leftovers({ transcript }: { transcript: Transcript }): JSX.Element {
  const purchases = transcript.routes.flatMap(({ label, purchases }) =>
    purchases.map((purchase) => ({ ...purchase, label })),
  )
  const open = purchases.flatMap(({ left_open, label }) =>
    left_open.map((each) => ({ ...each, label })),
  )
  const orders = purchases.flatMap(({ orders, label }) =>
    orders.map((each) => ({ ...each, label })),
  )
  return (
    <>
      {orders.length > 0 && (
        <Notice
          kind="warning"
          title={`Test orders that were placed in your store: ${orders.length}`}
        >
          <p>
            Cancel them in the admin of your store, so that they are not shipped, and refund them at
            your payment provider if it was not a test account.
          </p>
          <ul>
            {orders.map(({ id, url, cancelled, label }) => (
              <li key={`${label} ${id}`} class="wild">
                <OrderLink url={url}>
                  Order <bdi>{id}</bdi>
                </OrderLink>{' '}
                <span class="quiet">
                  (<bdi>{label}</bdi>)
                </span>
                {cancelled && `: ${'your store cancelled it; check that it is refunded'}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {open.length > 0 && (
        <Notice
          kind="warning"
          title={`Checkouts that are still open in your store: ${open.length}`}
        >
          <p>
            They could not be cancelled. They hold no payment. If they reserve stock, cancel them in
            the admin of your store.
          </p>
          <ul>
            {open.map(({ id, until, why, label }) => (
              <li key={`${label} ${id}`} class="wild">
                Checkout <bdi>{id}</bdi>{' '}
                <span class="quiet">
                  (<bdi>{label}</bdi>)
                </span>
                : <bdi>{why}</bdi> (
                {until === null ? (
                  'your store does not say when it ends'
                ) : (
                  <>
                    ends by itself{' '}
                    <bdi>
                      <Moment at={until} />
                    </bdi>
                  </>
                )}
                )
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

/** A store may send any address: only one on the web becomes a link. */
function OrderLink({
  url,
  children,
}: {
  url: string | null
  children: ComponentChildren
}): JSX.Element {
  const href = /^https?:/i.test(url ?? '') ? safeHref(url) : null
  return href === null ? (
    <span>{children}</span>
  ) : (
    <a href={href} {...NEW_TAB}>
      {children}
    </a>
  )
}
