import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { formatMoney } from '../../../../shared/commerce/product.ts'
import type { PaymentOutcome } from './form.ts'
import type { Intent } from './intent.ts'

/** Older ones are dropped, as older payments are. */
const MOST_CHALLENGES = 10_000

interface Challenge {
  paymentId: string
  returnUrl: string
}

interface ChallengeOptions {
  /** The origin of the test PSP itself. */
  origin: () => string
  find: (paymentId: string) => Intent | undefined
  settle: (paymentId: string, outcome: PaymentOutcome) => void
}

/** The challenges of the test bank: a page for each, on which the buyer approves or refuses. */
export function createChallenges({ origin, find, settle }: ChallengeOptions) {
  const challenges = new Map<string, Challenge>()

  const sought = (c: Context) => {
    const challenge = challenges.get(c.req.param('id') ?? '')
    const intent = challenge && find(challenge.paymentId)
    return intent && { intent, returnUrl: challenge.returnUrl }
  }

  return {
    /** The URL of a new one. */
    open(paymentId: string, returnUrl: string): string {
      // Not the payment's id, which is not secret: anyone with the page can approve.
      const id = randomUUID()
      challenges.set(id, { paymentId, returnUrl })
      const [oldest] = challenges.keys()
      if (challenges.size > MOST_CHALLENGES && oldest !== undefined) challenges.delete(oldest)
      return `${origin()}/challenges/${id}`
    },

    /** The page of a challenge, or its result. */
    show(c: Context): Response | Promise<Response> {
      const found = sought(c)
      if (found === undefined) return page(c, 404, 'This page does not exist', NOT_FOUND)
      const { intent, returnUrl } = found
      if (intent.status === 'requires_action') return page(c, 200, 'Test bank', question(intent))
      return page(c, 200, 'Test bank', decided(intent, returnUrl))
    },

    /** Takes the buyer's decision. The first one counts: a second only leads back to the shop. */
    async answer(c: Context): Promise<Response> {
      const decision = new URLSearchParams(await c.req.text()).get('decision')
      const found = sought(c)
      if (found === undefined) return page(c, 404, 'This page does not exist', NOT_FOUND)
      const { intent, returnUrl } = found
      if (intent.status === 'requires_action') {
        if (decision !== 'approve' && decision !== 'refuse') {
          return page(c, 400, 'Test bank', question(intent))
        }
        settle(intent.id, decision === 'approve' ? 'succeeded' : 'failed')
      }
      return c.redirect(returnUrl, 303)
    },
  }
}

const NOT_FOUND = html`<p>Please go back to the shop, and pay again.</p>`

const question = ({ amount, currency }: Intent) => html`
<p>A shop asks for <strong>${formatMoney({ amount, currency: currency.toUpperCase() })}</strong>.
This bank is for tests: no money moves.</p>
<form method="post"><input type="hidden" name="decision" value="approve"><button>Approve</button></form>
<form method="post"><input type="hidden" name="decision" value="refuse"><button>Refuse</button></form>`

const decided = ({ status }: Intent, returnUrl: string) => html`
<p>${status === 'succeeded' ? 'You approved this payment.' : 'This payment was not made.'}</p>
<p><a href="${returnUrl}">Back to the shop</a></p>`

/** No `form-action`: browsers would also apply it to the redirect back to the shop. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
}

const page = (c: Context, status: 200 | 400 | 404, title: string, main: ReturnType<typeof html>) =>
  c.html(
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>${title}</h1>${main}</main></body></html>`,
    status,
    HEADERS,
  )
