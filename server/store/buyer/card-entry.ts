import { html } from 'hono/html'
import type { Markup } from '../shop/pages/frame.ts'
import type { PageSources } from './private-page.ts'

/** How a buyer's card becomes a token of the PSP on the page; its number never comes to us. */
export interface CardEntry {
  /** False: the page cannot take payments, and `field` explains what to do. */
  canPay: boolean
  /** Puts the token into the form's field `token`. */
  field: (given: GivenEntry) => Markup
  /** What the page needs from the PSP. */
  sources?: PageSources
  /** Our own script for the field, served at `CARD_SCRIPT_PATH`. */
  script?: string
}

/** The current values of the form. */
interface GivenEntry {
  token: string
  /** The token was already tried, or is for another total: it can no longer pay. */
  isSpent: boolean
  sessionId: string
  fault: string | undefined
  /** No field before it is wrong, so it gets the focus. */
  isFocused: boolean
  currency: string
}

const TEST_CHOICES = [
  { token: 'tok_visa', name: 'A card that pays' },
  { token: 'tok_declined', name: 'A card that is declined' },
  { token: 'tok_3ds', name: 'A card whose bank asks the buyer to confirm' },
  { token: 'tok_pending', name: 'A payment that takes a while' },
]

/** The cards of the test PSP, by the result of a payment with them. */
export const testCardEntry: CardEntry = {
  canPay: true,
  field: ({
    token,
    fault,
    isFocused,
  }) => html`<p class="notice">This is a test shop: no money moves, and nothing is sent.</p>
<div class="choices" role="radiogroup" aria-label="Card">
${TEST_CHOICES.map(
  (choice, index) =>
    html`<label><input type="radio" name="token" value="${choice.token}"${
      choice.token === token ? html` checked` : ''
    }${fault ? html` aria-describedby="token-fault"` : ''}${
      isFocused && index === 0 ? html` autofocus` : ''
    }> ${choice.name}</label>\n`,
)}</div>
${faultOf(fault)}`,
}

const STRIPE = 'https://js.stripe.com'

/**
 * A card field of Stripe.js: the browser sends the card to Stripe, and the form gets the id of a
 * PaymentMethod. `publishableKey` is public.
 */
export const stripeCardEntry = (publishableKey: string): CardEntry => ({
  canPay: true,
  field: ({ fault }) => html`<div id="card" class="card" data-key="${publishableKey}"></div>
<input type="hidden" name="token">
<p class="fault" id="token-fault" role="alert">${fault ?? ''}</p>
<noscript><p class="fault">Your card goes straight to the bank’s partner by a script. Please allow scripts to pay.</p></noscript>
<script src="${STRIPE}/v3/" defer></script>
<script src="${CARD_SCRIPT_PATH}" defer></script>`,
  // The sources that Stripe requires: docs.stripe.com/security/guide#content-security-policy.
  sources: {
    script: [STRIPE, 'https://*.js.stripe.com'],
    frame: [STRIPE, 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
  },
  script: STRIPE_SCRIPT,
})

const RAZORPAY = 'https://checkout.razorpay.com'

/**
 * Razorpay's own window: the buyer approves the total there, by UPI, card or netbanking. The form
 * gets the id of the approved payment, which the store captures. `keyId` is public.
 */
export const razorpayEntry = (keyId: string): CardEntry => ({
  canPay: true,
  field: ({
    token,
    isSpent,
    sessionId,
    fault,
    currency,
  }) => html`<div id="razorpay" data-key="${keyId}" data-currency="${currency}" data-session="${sessionId}" data-approved="${isSpent ? '' : token}">
<p>${
    isSpent || token === ''
      ? 'You pay in a window of Razorpay: by UPI, card or netbanking.'
      : 'You have approved this payment already, and are not asked again.'
  }</p></div>
<input type="hidden" name="token">
<p class="fault" id="token-fault" role="alert">${fault ?? ''}</p>
<noscript><p class="fault">The payment opens in a window of its own. Please allow scripts to pay.</p></noscript>
<script src="${RAZORPAY}/v1/checkout.js" defer></script>
<script src="${CARD_SCRIPT_PATH}" defer></script>`,
  // Razorpay documents no list; its checkout.js loads these.
  sources: {
    script: [RAZORPAY],
    frame: [RAZORPAY, 'https://api.razorpay.com'],
    connect: ['https://api.razorpay.com', 'https://lumberjack.razorpay.com'],
  },
  script: RAZORPAY_SCRIPT,
})

/** For a PSP whose card field this page does not have. */
export const noCardEntry: CardEntry = {
  canPay: false,
  field:
    () => html`<p class="notice">This shop cannot take your payment on this page. Your address and
shipping are kept: please go back to your assistant and let it pay for you.</p>`,
}

const faultOf = (fault: string | undefined): Markup | '' =>
  fault === undefined ? '' : html`<p class="fault" id="token-fault">${fault}</p>`

export const CARD_SCRIPT_PATH = '/scripts/card.js'

/**
 * Opens Razorpay's window before the form pays, and sends the id of the approved payment. All input
 * is saved and checked first, so that the store refuses nothing after the approval. The payment
 * names its session and cannot pay for another. An approved payment is sent again.
 */
const RAZORPAY_SCRIPT = `
const { key, currency, session, approved } = document.getElementById('razorpay').dataset
const form = document.getElementById('razorpay').closest('form')
const fault = document.getElementById('token-fault')
const field = (name) => form.elements.namedItem(name)
const isAsShown = (each) =>
  each.type === 'radio'
    ? each.checked === each.defaultChecked
    : each.options
      ? [...each.options].every((option) => option.selected === option.defaultSelected)
      : each.value === each.defaultValue
addEventListener('pageshow', () => {
  field('token').value = approved
})
form.addEventListener('submit', (event) => {
  const button = event.submitter
  if (button.value !== 'pay' || field('token').value !== '') return
  event.preventDefault()
  const fields = form.querySelectorAll('input:not([type=hidden]), select')
  const isSaved = [...fields].every(isAsShown) && form.querySelector('[aria-invalid]') === null
  if (!isSaved || field('total') === null) {
    setTimeout(() => form.requestSubmit(form.querySelector('button[value=save]')))
    return
  }
  if (!form.reportValidity()) return
  const payment = new Razorpay({
    key,
    currency,
    notes: { session_id: session },
    amount: Number(field('total').value),
    prefill: { name: field('name').value },
    handler: ({ razorpay_payment_id }) => {
      field('token').value = razorpay_payment_id
      setTimeout(() => form.requestSubmit(button))
    },
  })
  payment.on('payment.failed', ({ error }) => {
    fault.textContent = error.description
  })
  payment.open()
})
`.trimStart()

/** Makes a PaymentMethod of the card before the form pays, and sends its id in the card's place. */
const STRIPE_SCRIPT = `
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
  // Ignored as long as the event of the first submission is handled (HTML, "firing submission
  // events").
  setTimeout(() => form.requestSubmit(button))
})
`.trimStart()
