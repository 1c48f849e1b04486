import type { ComponentChildren, JSX } from 'preact'
import type { Transcript } from '../../walk/transcript.ts'
import { NEW_TAB } from '../Action.tsx'
import { safeHref } from '../audit/safe-href.ts'
import { useLanguage } from '../language.ts'
import { Moment } from '../Moment.tsx'
import { Notice } from '../Notice.tsx'
import { Said } from './Said.tsx'

/** What the walk left in the store, for its owner to clean up. */
export function Leftovers({ transcript }: { transcript: Transcript }): JSX.Element {
  const { text } = useLanguage()
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
        <Notice kind="warning" title={text('walk_orders_title', orders.length)}>
          <p>{text('walk_orders_why')}</p>
          <ul>
            {orders.map(({ id, url, cancelled, label }) => (
              <li key={`${label} ${id}`} class="wild">
                <OrderLink url={url}>
                  <Said text="walk_order">{id}</Said>
                </OrderLink>{' '}
                <span class="quiet">
                  (<bdi>{label}</bdi>)
                </span>
                {cancelled && `: ${text('walk_order_cancelled')}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {open.length > 0 && (
        <Notice kind="warning" title={text('walk_open_title', open.length)}>
          <p>{text('walk_open_why')}</p>
          <ul>
            {open.map(({ id, until, why, label }) => (
              <li key={`${label} ${id}`} class="wild">
                <Said text="walk_checkout">{id}</Said>{' '}
                <span class="quiet">
                  (<bdi>{label}</bdi>)
                </span>
                : <bdi>{why}</bdi> (
                {until === null ? (
                  text('walk_open_unknown')
                ) : (
                  <Said text="walk_open_until">
                    <Moment at={until} />
                  </Said>
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
