import { randomUUID } from 'node:crypto'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { clientAddress, networkOf, type TrustedProxies } from '../../http/client-address.ts'
import type { Snapshot } from '../checkout/answers.ts'
import type { CheckoutContext } from '../checkout/caller.ts'
import { readCheckout } from '../checkout/checkout.ts'
import type { OfficialSession } from '../checkout/sessions.ts'
import { type Env, pathParam, send } from '../http/routing.ts'
import { cacheable, javascript, type Reply, type StoreRequest } from '../http/store-request.ts'
import { errorPage, notFoundPage } from '../shop/pages/error.ts'
import { BASKET_PATH } from '../shop/settings.ts'
import { ACTION_SCRIPT, ACTION_SCRIPT_PATH, actionPage, actionStateReply } from './action.ts'
import { BUYER_PATHS, checkoutPath } from './addresses.ts'
import { BASKET_COOKIE, basketPage, changedBasket, keepBasket, readBasket } from './basket.ts'
import { CARD_SCRIPT_PATH, type CardEntry } from './card-entry.ts'
import { checkoutPage } from './checkout-page.ts'
import { formOfSession, readSentForm } from './form.ts'
import { permalinkReply, sorryPage } from './permalink.ts'
import { seeOther } from './private-page.ts'
import { closedPage, foreignFormPage, waitingPage } from './status-pages.ts'
import { submitForm } from './submit.ts'

interface BuyerOptions {
  context: CheckoutContext
  card: CardEntry
  trustedProxies: TrustedProxies
}

/** What buyers do by hand: finish a checkout, pass a challenge, follow a link to items. */
export function routeBuyer(app: Hono<Env>, options: BuyerOptions): void {
  const { context, card, trustedProxies } = options
  const { deps } = context
  const { checkout, challenge, permalink } = BUYER_PATHS

  const basketOf = (c: Context<Env>) => readBasket(getCookie(c, BASKET_COOKIE))
  app.get(BASKET_PATH, async (c) => {
    // A link of a cart: the browser keeps it from now on, in place of what it had.
    const items = c.req.query('items')
    return send(
      items === undefined
        ? await basketPage(deps.db, c.var.request, basketOf(c))
        : keepBasket(readBasket(items)),
    )
  })
  app.post(BASKET_PATH, onlyFromOurPage, async (c) =>
    send(keepBasket(changedBasket(basketOf(c), new URLSearchParams(await c.req.text())))),
  )

  app.get(`${checkout}/:id`, async (c) => send(await showCheckout(c, options, false)))
  app.post(`${checkout}/:id`, onlyFromOurPage, async (c) => send(await takeForm(c, options)))
  app.get(`${checkout}/:id/return`, async (c) =>
    // The bank's additions to the address may hold a secret of the payment.
    send(
      new URL(c.req.url).search === ''
        ? await showCheckout(c, options, true)
        : seeOther(c.var.request.path),
    ),
  )
  app.get(`${challenge}/:id`, async (c) =>
    send(await actionPage(deps.db, c.var.request, pathParam(c, 'id'))),
  )
  app.get(`${challenge}/:id/state`, async (c) =>
    send(await actionStateReply(deps.db, c.var.request, pathParam(c, 'id'))),
  )
  app.get(ACTION_SCRIPT_PATH, () => send(javascript(ACTION_SCRIPT, cacheable(300))))
  const { script } = card
  if (script) app.get(CARD_SCRIPT_PATH, () => send(javascript(script, cacheable(300))))

  app.on('GET', [permalink, `${permalink}/*`], async (c) => {
    const { request } = c.var
    if (!request.official) return send(notFoundPage(request))
    const query = new URL(c.req.url).searchParams
    const items = request.path.slice(permalink.length + 1)
    const sorry = items === '' ? sorryPage(request, query) : null
    if (sorry) return send(sorry)
    const network = networkOf(clientAddress(c, trustedProxies))
    return send(await permalinkReply(request, context, { items, query, network }))
  })
}

/** A session of an official dialect at this shop. */
const findSnapshot = (c: Context<Env>, { context }: BuyerOptions) => {
  const isTheirs = ({ host }: OfficialSession) => host === c.var.request.host
  return readCheckout(context.deps, { id: pathParam(c, 'id'), isTheirs })
}

async function showCheckout(
  c: Context<Env>,
  options: BuyerOptions,
  isBack: boolean,
): Promise<Reply> {
  const { request } = c.var
  const found = await findSnapshot(c, options)
  if (found === null) return notFoundPage(request)
  const { session, order } = found
  const elsewhere = settledReply(request, found)
  if (elsewhere) return elsewhere
  if (session.status === 'pending_confirmation') {
    if (isBack) return seeOther(checkoutPath(session))
    return checkoutPage(request, {
      session,
      form: formOfSession(session),
      card: options.card,
      key: randomUUID(),
      notice: order?.status === 'payment_failed' ? FAILED : undefined,
    })
  }
  return waitingPage(request, { session, order, isBack, now: options.context.deps.now() })
}

const FAILED =
  'The payment did not go through, and nothing was charged. Please pay again, or another way.'

/** The page of a checkout that is paid or over; null for one that is open or being paid. */
function settledReply(request: StoreRequest, { session, order }: Snapshot): Reply | null {
  const { status } = session
  if (status === 'expired' || status === 'canceled') return closedPage(request, status)
  const isPaid = status === 'completed' && order && order.status !== 'awaiting_payment'
  return isPaid ? seeOther(`/receipts/${order.receipt_token}`) : null
}

async function takeForm(c: Context<Env>, options: BuyerOptions): Promise<Reply> {
  const { request } = c.var
  const found = await findSnapshot(c, options)
  if (found === null) return notFoundPage(request)
  const { card, context } = options
  const form = readSentForm(await c.req.text())
  const wants = card.canPay ? form.wants : 'save'
  const became = await submitForm(context.deps, found.session, { ...form, wants })
  if (became.is === 'again') {
    const { session, status, faults, notice, isSaved, isSpent } = became
    return checkoutPage(request, {
      session,
      form: isSaved ? { ...formOfSession(session), token: form.token } : form,
      card,
      key: randomUUID(),
      ...(faults && { faults }),
      ...(isSpent && { isSpent }),
      notice,
      status,
    })
  }
  const now = await findSnapshot(c, options)
  const challenge = wants === 'pay' && now?.order?.status === 'awaiting_payment'
  return seeOther((challenge && now.order?.challenge_url) || checkoutPath(found.session))
}

/**
 * Browsers say where a form comes from: `Sec-Fetch-Site`, older ones only `Origin`. A form without
 * both may be another site's.
 */
const onlyFromOurPage: MiddlewareHandler<Env> = async (c, next) => {
  const { request } = c.var
  const site = c.req.header('sec-fetch-site')
  const isOurs =
    site === undefined
      ? URL.parse(c.req.header('origin') ?? '')?.host === request.host
      : site === 'same-origin'
  if (!isOurs) return send(foreignFormPage(request, request.path))
  const type = c.req.header('content-type') ?? ''
  return /^application\/x-www-form-urlencoded\b/i.test(type)
    ? next()
    : send(errorPage(request, 415, 'Please use the form of this page.'))
}
