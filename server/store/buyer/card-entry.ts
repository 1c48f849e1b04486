import { html } from 'hono/html'
import type { Markup } from '../shop/pages/frame.ts'
import type { PageSources } from './private-page.ts'

/** How a buyer's card becomes a token of the PSP on the page; its number never comes to us. */
export interface CardEntry {
  /** False: the page cannot take payments, and `field` says how to go on. */
  canPay: boolean
  /** Puts the token into the form's field `token`. */
  field: (given: { token: string; fault: string | undefined }) => Markup
  /** What the page needs from the PSP. */
  sources?: PageSources
}

const TEST_CHOICES = [
  { token: 'tok_visa', name: 'A card that pays' },
  { token: 'tok_declined', name: 'A card that is declined' },
  { token: 'tok_3ds', name: 'A card whose bank asks the buyer to confirm' },
  { token: 'tok_pending', name: 'A payment that takes a while' },
]

/** The cards of the test PSP, by what becomes of a payment with them. */
export const testCardEntry: CardEntry = {
  canPay: true,
  field: ({
    token,
    fault,
  }) => html`<p class="notice">This is a test shop: no money moves, and nothing is sent.</p>
<div class="choices" role="radiogroup" aria-label="Card">
${TEST_CHOICES.map(
  (choice) =>
    html`<label><input type="radio" name="token" value="${choice.token}"${
      choice.token === token ? html` checked` : ''
    }${fault ? html` aria-describedby="token-fault"` : ''}> ${choice.name}</label>\n`,
)}</div>
${faultOf(fault)}`,
}

const STRIPE = 'https://js.stripe.com'

/**
 * A card field of Stripe.js: the browser sends the card to Stripe, and the form gets the id of a
 * PaymentMethod. `publishableKey` may be seen by anyone.
 */
export const stripeCardEntry = (publishableKey: string): CardEntry => ({
  canPay: true,
  field: ({ fault }) => html`<div id="card" class="card" data-key="${publishableKey}"></div>
<input type="hidden" name="token">
<p class="fault" id="token-fault" role="alert">${fault ?? ''}</p>
<noscript><p class="fault">Your card goes straight to the bank’s partner by a script. Please allow scripts to pay.</p></noscript>
<script src="${STRIPE}/v3/" defer></script>
<script src="${CARD_SCRIPT_PATH}" defer></script>`,
  // As Stripe asks for: docs.stripe.com/security/guide#content-security-policy.
  sources: {
    script: [STRIPE, 'https://*.js.stripe.com'],
    frame: [STRIPE, 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
  },
})

/** Of a PSP without such a field here. */
export const noCardEntry: CardEntry = {
  canPay: false,
  field:
    () => html`<p class="notice">This shop cannot take your payment on this page. Your address and
shipping are kept: please go back to your assistant and let it pay for you.</p>`,
}

const faultOf = (fault: string | undefined): Markup | '' =>
  fault === undefined ? '' : html`<p class="fault" id="token-fault">${fault}</p>`

export const CARD_SCRIPT_PATH = '/scripts/card.js'

/** Makes a PaymentMethod of the card before the form pays, and sends its id in the card's place. */
export const CARD_SCRIPT = `
const place = document.getElementById('card')
const form = place.closest('form')
const fault = document.getElementById('token-fault')
const field = (name) => form.elements.namedItem(name)
const stripe = Stripe(place.dataset.key)
const card = stripe.elements().create('card', { hidePostalCode: true })
card.mount(place)
card.on('change', ({ error }) => {
  fault.textContent = error ? error.message : ''
})
addEventListener('pageshow', () => {
  field('token').value = ''
})
form.addEventListener('submit', async (event) => {
  const button = event.submitter
  if (button.value !== 'pay' || field('token').value !== '') return
  event.preventDefault()
  button.disabled = true
  const made = await stripe.createPaymentMethod({
    type: 'card',
    card,
    billing_details: {
      name: field('name').value,
      address: { postal_code: field('zip').value, country: field('country').value },
    },
  })
  button.disabled = false
  if (made.error) {
    fault.textContent = made.error.message
    return
  }
  field('token').value = made.paymentMethod.id
  // Ignored as long as the event of the first submission is handled (HTML, "firing submission events").
  setTimeout(() => form.requestSubmit(button))
})
`.trimStart()
