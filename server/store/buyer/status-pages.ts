import { html } from 'hono/html'
import type { CheckoutSession, Order } from '../db/tables.ts'
import type { Reply, StoreRequest } from '../http/store-request.ts'
import { privatePage } from './private-page.ts'

/** A checkout that is over: nothing was charged. */
export const closedPage = (request: StoreRequest, status: 'expired' | 'canceled'): Reply =>
  privatePage(request, {
    title: status === 'expired' ? 'This checkout has expired' : 'This checkout was canceled',
    status: 410,
    main: html`<h1>${status === 'expired' ? 'This checkout has expired' : 'This checkout was canceled'}</h1>
<p>Nothing was charged. Please start again, here or with your assistant.</p>
<p><a href="/">Back to the home page</a></p>`,
  })

/** A form that did not come from the page itself. */
export const foreignFormPage = (request: StoreRequest, to: string): Reply =>
  privatePage(request, {
    title: 'Please use the form on our own page',
    status: 403,
    main: html`<h1>Please use the form on our own page</h1>
<p>This form was sent from another site, so nothing was changed and nothing was charged.</p>
<p><a href="${to}">Open the checkout</a></p>`,
  })

interface UnderWay {
  session: CheckoutSession
  order: Order | undefined
  /** The buyer comes back from the bank. */
  isBack: boolean
  now: Date
}

/** A payment in progress: the page reloads until it is settled. */
export function waitingPage(
  request: StoreRequest,
  { session, order, isBack, now }: UnderWay,
): Reply {
  const since = order?.updated_at ?? session.completing_since ?? now
  const bank = order?.challenge_url ?? null
  const title = bank && !isBack ? 'Your bank wants to ask you' : 'Your payment is under way'
  return privatePage(request, {
    title,
    refresh: pauseFor(now.getTime() - since.getTime()),
    main: html`<h1>${title}</h1>
${
  bank && !isBack
    ? html`<p>Please confirm the payment on the page of your bank.</p>
<p><a href="${bank}" class="button" rel="noreferrer">Go to your bank</a></p>`
    : html`<p>This can take a moment. You will be charged at most once.</p>`
}
${bank && isBack && html`<p>Not done at your bank yet? <a href="${bank}" rel="noreferrer">Go back to its page</a>.</p>`}
<p class="small">This page updates itself.</p>`,
  })
}

/** Some payments take days: the longer one takes, the less often its page reloads. */
const pauseFor = (ms: number): number => Math.min(60, Math.max(2, Math.round(ms / 10_000)))
