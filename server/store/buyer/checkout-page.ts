import { html } from 'hono/html'
import { countryCodes } from '../../../shared/commerce/iso.ts'
import { formatMoney, type Money } from '../../../shared/commerce/product.ts'
import { isNeeded } from '../checkout/address.ts'
import type { CheckoutSession } from '../db/tables.ts'
import type { Reply, StoreRequest } from '../http/store-request.ts'
import { totalWith } from '../orders/orders.ts'
import { countryName } from '../shop/pages/country-name.ts'
import type { Markup } from '../shop/pages/frame.ts'
import { checkoutPath } from './addresses.ts'
import type { CardEntry } from './card-entry.ts'
import { ADDRESS_FIELDS, type AddressField, type CheckoutForm, type FormFaults } from './form.ts'
import { privatePage } from './private-page.ts'

interface OpenCheckout {
  session: CheckoutSession
  form: CheckoutForm
  card: CardEntry
  /** New for each page view. */
  key: string
  faults?: FormFaults
  /** What the buyer must know first. */
  notice?: string | undefined
  /** The form's token can no longer pay. */
  isSpent?: boolean
  status?: number
}

/** The page of an open checkout: the items, the address, the costs, and the payment. */
export function checkoutPage(request: StoreRequest, checkout: OpenCheckout): Reply {
  const { session, form, card, key, faults = {}, notice, isSpent = false, status = 200 } = checkout
  const total = totalOf(session, form)
  const wrong = wordsOf(notice, faults)
  const focused = firstOf(faults)
  const pay =
    total === null ? 'Pay' : `Pay ${formatMoney({ amount: total, currency: session.currency })}`
  return privatePage(request, {
    // Screen readers begin a new page with its title.
    title: wrong === undefined ? 'Checkout' : 'Please check: Checkout',
    status,
    ...(card.sources && { sources: card.sources }),
    main: html`<h1>Checkout</h1>
${wrong !== undefined && html`<p class="notice wrong" role="alert">${wrong}</p>`}
<form method="post" action="${checkoutPath(session)}" class="checkout" novalidate>
<input type="hidden" name="key" value="${key}">
${total !== null && html`<input type="hidden" name="total" value="${total}">`}
<div class="steps">
<fieldset><legend>Delivery address</legend>
${FIELDS.map((field) => textField(field, form.address, faults[field.name], field.name === focused))}
${countryField(form.address.country, faults.country, focused === 'country')}
</fieldset>
<fieldset><legend>Shipping</legend>
${optionsOf(session, form)}
</fieldset>
<fieldset><legend>Payment</legend>
${card.field({
  token: form.token,
  isSpent,
  sessionId: session.id,
  fault: faults.token,
  isFocused: focused === 'token',
  currency: session.currency,
})}
</fieldset>
</div>
<section class="summary" aria-labelledby="order">
<h2 id="order">Your order</h2>
${summaryOf(session, form)}
<button name="do" value="save" class="second">Save and update the total</button>
${card.canPay ? html`<button name="do" value="pay">${pay}</button>` : ''}
<p class="small">You can pay until ${timeOf(session.expires_at)}. You pay exactly the total above.</p>
</section>
</form>`,
  })
}

/** The total of the form; null until a shipping option of the session is chosen. */
export function totalOf(session: CheckoutSession, { optionId }: CheckoutForm): number | null {
  const option = session.shipping_options.find(({ id }) => id === optionId)
  return option === undefined ? null : totalWith(session, option)
}

/** The message at the top. */
const wordsOf = (notice: string | undefined, faults: FormFaults): string | undefined =>
  notice ?? (firstOf(faults) === undefined ? undefined : 'Please check the fields that are marked.')

/** The first wrong field on the page. */
const firstOf = (faults: FormFaults): AddressField | 'token' | undefined =>
  ([...ADDRESS_FIELDS, 'token'] as const).find((name) => faults[name] !== undefined)

interface TextField {
  name: Exclude<AddressField, 'country'>
  label: string
  autocomplete: string
  isOptional?: true
}

const FIELDS: TextField[] = [
  { name: 'name', label: 'Name', autocomplete: 'name' },
  { name: 'street', label: 'Street and number', autocomplete: 'address-line1' },
  {
    name: 'line_two',
    label: 'Apartment or floor (optional)',
    autocomplete: 'address-line2',
    isOptional: true,
  },
  { name: 'city', label: 'City', autocomplete: 'address-level2' },
  { name: 'state', label: 'State or province (if any)', autocomplete: 'address-level1' },
  { name: 'zip', label: 'Postal code (if any)', autocomplete: 'postal-code' },
]

const textField = (
  { name, label, autocomplete, isOptional }: TextField,
  address: CheckoutForm['address'],
  fault: string | undefined,
  isFocused: boolean,
) => {
  // Required for the country that the page was made with. Another country is judged when the form
  // is sent, because the form is `novalidate`.
  const isRequired = !isOptional && isNeeded(name, address.country)
  return html`<div class="field field-${name}"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${address[name]}" autocomplete="${autocomplete}"${isRequired ? html` required` : ''}${marked(name, fault, isFocused)}>
${faultText(name, fault)}</div>
`
}

/** All countries, in the order of their English names. */
const COUNTRIES = countryCodes()
  .map((code) => ({ code, name: countryName(code) }))
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

const countryField = (chosen: string, fault: string | undefined, isFocused: boolean) =>
  html`<div class="field field-country"><label for="country">Country</label>
<select id="country" name="country" autocomplete="country" required${marked('country', fault, isFocused)}>
${COUNTRIES.map(
  ({ code, name }) =>
    html`<option value="${code}"${code === chosen ? html` selected` : ''}>${name}</option>\n`,
)}</select>
${faultText('country', fault)}</div>`

const marked = (name: string, fault: string | undefined, isFocused: boolean): Markup | '' =>
  fault === undefined
    ? ''
    : html` aria-invalid="true" aria-describedby="${name}-fault"${isFocused ? html` autofocus` : ''}`

const faultText = (name: string, fault: string | undefined): Markup | '' =>
  fault === undefined ? '' : html`<p class="fault" id="${name}-fault">${fault}</p>`

const optionsOf = ({ shipping_options }: CheckoutSession, { optionId }: CheckoutForm) =>
  html`<div class="choices" role="radiogroup" aria-label="Shipping">
${shipping_options.map(
  ({ id, name, cost }) =>
    html`<label><input type="radio" name="shipping_option" value="${id}"${
      id === optionId ? html` checked` : ''
    }> <span>${name}</span> <span>${costOf(cost)}</span></label>\n`,
)}</div>`

const costOf = (cost: Money): string => (cost.amount === 0 ? 'Free' : formatMoney(cost))

/** The items, and their total with the chosen shipping. */
function summaryOf(session: CheckoutSession, form: CheckoutForm): Markup {
  const { items, subtotal, tax, currency, shipping_options } = session
  const money = (amount: number) => formatMoney({ amount, currency })
  const option = shipping_options.find(({ id }) => id === form.optionId)
  const row = (name: string, cost: string) =>
    html`<tr><th scope="row">${name}</th><td>${cost}</td></tr>\n`
  return html`<table>
<tbody>
${items.map(({ title, quantity, unit_price }) =>
  row(`${quantity} × ${title}`, money(unit_price.amount * quantity)),
)}</tbody>
<tfoot>
${row('Subtotal', money(subtotal))}
${option && row(`Shipping: ${option.name}`, costOf(option.cost))}
${row('Tax', money(tax))}
${option && html`<tr class="total"><th scope="row">Total</th><td>${money(totalWith(session, option))}</td></tr>`}
</tfoot>
</table>`
}

/** `2026-06-01, 18:00 UTC`. */
const timeOf = (time: Date): Markup => {
  const [day = '', clock = ''] = time.toISOString().split('T')
  return html`<time datetime="${time.toISOString()}">${day}, ${clock.slice(0, 5)} UTC</time>`
}
