import type { JSX } from 'preact'
import { ErrorNotice } from '../../../../shared/view/Notice.tsx'
import { INTENTS } from '../../../../shared/walk/intents.ts'
import { useSite } from '../../site.tsx'
import { TextField } from '../../tools/form-fields.tsx'
import { SecretField } from '../SecretField.tsx'
import type { WalkFormState } from './form.ts'

export interface WalkFormProps {
  domain: string
  state: WalkFormState
  /** The key may make test payments. */
  canPay: boolean
}

/** Which purchases to make in a store, and whether to pay. */
export function WalkForm({ domain, state, canPay }: WalkFormProps): JSX.Element {
  const { path } = useSite()
  const { intents, mode, item, pages, productUrl, errors, refusal } = state
  return (
    <form method="post" action={path('/walks')} class="card walk-form no-print">
      <h2>Walk a purchase</h2>
      {refusal !== undefined && <ErrorNotice title={refusal} />}
      <input type="hidden" name="domain" value={domain} />
      <fieldset aria-describedby={errors.intents === undefined ? undefined : 'intents-error'}>
        <legend>Purchases to try</legend>
        {errors.intents !== undefined && (
          <p class="field-error" id="intents-error">
            {errors.intents}
          </p>
        )}
        <div class="walk-intents">
          {INTENTS.filter((intent) => canPay || intent.mode === 'look').map((intent) => (
            <label key={intent.id} class="check">
              <input
                type="checkbox"
                name="intent"
                value={intent.id}
                checked={intents.includes(intent.id)}
              />
              <span>
                {intent.name}
                {intent.mode === 'sandbox' && <span class="quiet"> (sandbox)</span>}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Pages</legend>
        <label class="check">
          <input type="checkbox" name="pages" value="yes" checked={pages} />
          Walk through the store’s pages with a browser as well, up to the last step before paying
        </label>
        <TextField
          name="product_url"
          label="Product page to begin on"
          form={{ values: { product_url: productUrl }, errors }}
          hint={`An address at ${domain}. Without one, a page is taken that an audit has read.`}
        />
      </fieldset>
      {canPay && (
        <fieldset>
          <legend>Payment</legend>
          <label class="check">
            <input type="radio" name="mode" value="look" checked={mode === 'look'} />
            Do not pay: stop before the payment, and cancel
          </label>
          <label class="check">
            <input type="radio" name="mode" value="sandbox" checked={mode === 'sandbox'} />
            Sandbox: pay with a token of your test account
          </label>
        </fieldset>
      )}
      {canPay && (
        <details open={mode === 'sandbox'}>
          <summary>Tokens for the sandbox</summary>
          <p class="quiet">
            A token stands for a card at your payment provider, such as <code>pm_card_visa</code> in
            a Stripe test account. Never enter one of a real card. Tokens are used for this walk
            alone: they are not stored, and they are not in the transcript.
          </p>
          <SecretField name="token" label="Token that is charged" error={errors.token} />
          <SecretField
            name="declined"
            label="Token that is declined"
            error={errors.declined}
            optional
          />
          <SecretField
            name="challenged"
            label="Token that the bank wants to confirm"
            error={errors.challenged}
            optional
          />
        </details>
      )}
      <details open={errors.item !== undefined || item !== ''}>
        <summary>If your store has no catalog and no feed</summary>
        <TextField
          name="item"
          label="What to buy"
          form={{ values: { item }, errors }}
          hint="The id of a product or variant, as your store knows it."
        />
      </details>
      <details open={errors.agent_key !== undefined}>
        <summary>If your store asks agents for a key</summary>
        <SecretField
          name="agent_key"
          label="Key for agents"
          error={errors.agent_key}
          optional
          hint="It is sent to your store in the header Authorization. It is used for this walk alone, and not stored."
        />
      </details>
      <div class="actions">
        <button type="submit" class="button button-primary">
          Start the walk
        </button>
      </div>
      <p class="quiet">
        It opens checkouts at {domain} as an agent would, and cancels each of them. It takes about a
        minute, and your store may count the checkouts as abandoned.
      </p>
    </form>
  )
}
