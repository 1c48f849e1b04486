import { html } from 'hono/html'
import type { Db } from '../../db/connect.ts'
import type { Order } from '../db/tables.ts'
import { json, type Reply, type StoreRequest } from '../http/store-request.ts'
import { findOrder } from '../orders/orders.ts'
import { actionId, BUYER_PATHS } from './addresses.ts'
import { privatePage } from './private-page.ts'

/** `waiting` for the buyer, `done` either way, or `gone`: the Action no longer exists. */
type ActionState = 'waiting' | 'done' | 'gone'

interface FoundAction {
  state: ActionState
  order: Order | undefined
}

async function findAction(db: Db, { host }: StoreRequest, id: string): Promise<FoundAction> {
  const uuid = /^act_([\da-f-]{36})_[\da-f]{32}$/.exec(id)?.[1]
  const order = uuid === undefined ? undefined : await findOrder(db, `order_${uuid}`)
  if (order?.host !== host || actionId(order) !== id) return { state: 'gone', order: undefined }
  if (order.status !== 'awaiting_payment') return { state: 'done', order }
  return { state: order.challenge_url === null ? 'gone' : 'waiting', order }
}

/**
 * `GET /3ds/:id/state`: for the page's script, because only the store knows the result of a
 * payment.
 */
export async function actionStateReply(db: Db, request: StoreRequest, id: string): Promise<Reply> {
  const { state } = await findAction(db, request, id)
  return json({ state }, { headers: { 'cache-control': 'no-store' } })
}

/**
 * `GET /3ds/:id`: the page of an Action (dev.ucp.common.payment.three_ds_challenge). The bank's
 * page opens in its own window, because banks refuse to be framed by strangers.
 */
export async function actionPage(db: Db, request: StoreRequest, id: string): Promise<Reply> {
  const { state, order } = await findAction(db, request, id)
  const title = TITLES[state]
  return privatePage(request, {
    title,
    status: state === 'gone' ? 404 : 200,
    // A platform shows the page in a frame, and does not announce its origin.
    sources: { framedBy: 'https:' },
    main: html`<div id="action" data-id="${order ? id : ''}" data-version="${order?.official?.version ?? ''}" data-state="${state}">
<h1 id="title">${title}</h1>
<p id="text">${TEXTS[state]}</p>
${
  state === 'waiting' &&
  html`<p id="way"><a href="${order?.challenge_url}" class="button" target="_blank" rel="noopener noreferrer">Go to your bank</a></p>`
}
</div>
<script src="${ACTION_SCRIPT_PATH}" defer></script>`,
  })
}

const TITLES: Record<ActionState, string> = {
  waiting: 'Your bank wants to ask you',
  done: 'This step is done',
  gone: 'This confirmation is over',
}

const TEXTS: Record<ActionState, string> = {
  waiting: 'Please confirm the payment on the page of your bank. It opens in a new window.',
  done: 'Please go back to your assistant: it knows how the payment ended.',
  gone: 'Please go back to your assistant, and pay again there if the order is still open.',
}

export const ACTION_SCRIPT_PATH = '/scripts/action.js'

/**
 * Talks to the platform as the extension dev.ucp.common.payment.authentication defines: JSON-RPC
 * 2.0 over `postMessage`, or over the bridge of a native app. Nothing happens before `action.ready`
 * is answered.
 */
export const ACTION_SCRIPT = `
const page = document.getElementById('action')
const way = document.getElementById('way')
const { id, version, state } = page.dataset
const NAME = 'EmbeddedActionProtocolConsumer'
const bridge = window[NAME] ?? window.webkit?.messageHandlers?.[NAME]
const platform = window.parent === window ? window.opener : window.parent

const send = (message) => {
  const sent = { jsonrpc: '2.0', ...message }
  if (bridge) bridge.postMessage(JSON.stringify(sent))
  else platform?.postMessage(sent, '*')
}

const finish = (reached) => {
  if (reached === 'done') return send({ method: 'action.done', params: { id } })
  const message = { type: 'error', code: 'action_expired', severity: 'recoverable' }
  const content = 'This confirmation is over.'
  const error = { ucp: { version, status: 'error' }, messages: [{ ...message, content }] }
  send({ method: 'action.error', params: { id, error } })
}

const show = (reached) => {
  way?.remove()
  const [title, text] = ${JSON.stringify({
    done: [TITLES.done, TEXTS.done],
    gone: [TITLES.gone, TEXTS.gone],
  })}[reached]
  document.getElementById('title').textContent = title
  document.getElementById('text').textContent = text
}

const ask = async (pause) => {
  const answer = await window.fetch('${BUYER_PATHS.challenge}/' + id + '/state').catch(() => null)
  const reached = answer?.ok ? (await answer.json()).state : 'waiting'
  if (reached === 'waiting') return setTimeout(ask, pause, Math.min(pause * 1.2, 20000))
  show(reached)
  finish(reached)
}

const begin = () => {
  if (way) way.hidden = false
  if (state === 'waiting') ask(1000)
  else finish(state)
}

const hear = (message) => {
  if (message?.id !== 'ready' || message.jsonrpc !== '2.0' || begun) return
  begun = true
  if (message.result && message.result.ucp?.status !== 'error') begin()
}

let begun = false
if (id !== '' && (bridge || platform)) {
  if (way) way.hidden = true
  window.EmbeddedActionProtocol = {
    postMessage: (text) => hear(typeof text === 'string' ? JSON.parse(text) : text),
  }
  addEventListener('message', ({ source, data }) => {
    if (source === platform) hear(data)
  })
  send({ id: 'ready', method: 'action.ready', params: { id, version } })
} else if (id !== '') begin()
`.trimStart()
