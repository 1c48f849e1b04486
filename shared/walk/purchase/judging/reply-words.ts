import { formatMoney } from '../../../commerce/product.ts'
import { shown } from '../../../web/json/json.ts'
import type { Refusal, Session, SessionMessage, WalkReply } from '../../session.ts'

/** An answer as a sentence, or in the store's words. */
export function replyText(reply: WalkReply): string {
  switch (reply.is) {
    case 'silent':
    case 'unreadable':
      return `${reply.why}.`
    case 'refused':
      return refusalWords(reply.refusal)
    case 'order':
      return 'It answered with an order.'
    case 'session':
      return `The checkout is ${shown(reply.session.said)}.`
  }
}

/** The words of a refusal: `409 out_of_stock: This is sold out.` */
export const refusalWords = ({ status, code, text }: Refusal): string =>
  `${status}${code === null ? '' : ` ${code}`}${text === null ? '' : `: ${text}`}`

/** The text of a message in a session, or its code. */
export const messageText = ({ code, text }: Pick<SessionMessage, 'code' | 'text'>): string =>
  text === '' ? code : text

/** The store's own word for the session's status, as the end of a sentence; empty without one. */
export const statusOf = ({ said }: Session): string => (said === null ? '' : ` (${said})`)

/** An amount as people read it; an unknown currency is left unchanged. */
export const moneyText = (amount: number, currency: string | null): string =>
  currency !== null && /^[a-z]{3}$/i.test(currency)
    ? formatMoney({ amount, currency: currency.toUpperCase() })
    : `${amount} (${shown(currency)})`
