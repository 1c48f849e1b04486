import type { JSX } from 'preact'
import { UCP } from '../../../../shared/protocols/ucp/versions.ts'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { CheckField, ChoiceField, TextField } from '../form-fields.tsx'
import type { ManifestState } from './form.ts'

const FORMATS = [
  ['1.0', 'Manifest, version 1.0'],
  ['ucp', `Official UCP profile, version ${UCP.newest}`],
] as const

/** The form and the file that it creates. Rendered by the server, and again on each input. */
export function ManifestForm({ state }: { state: ManifestState }): JSX.Element {
  return (
    <div class="columns">
      <form method="post" class="card">
        <h2>Your store</h2>
        <TextField name="domain" label="Domain" required form={state} hint="Such as shop.example" />
        <TextField
          name="catalog_endpoint"
          label="Catalog endpoint"
          required
          inputMode="url"
          form={state}
          hint="The URL that lists your products as JSON"
        />
        <TextField
          name="checkout_endpoint"
          label="Checkout endpoint"
          required
          inputMode="url"
          form={state}
          hint="The URL that accepts a cart by POST"
        />
        <TextField
          name="shipping_endpoint"
          label="Shipping endpoint"
          inputMode="url"
          form={state}
          hint="Lets agents price shipping before the checkout"
        />
        <TextField
          name="orders_endpoint"
          label="Orders endpoint"
          inputMode="url"
          form={state}
          hint="Lets agents tell a buyer the status of an order"
        />
        <CheckField name="supports_search" label="The catalog can be searched (?q=)" form={state} />
        <TextField
          name="supports_filters"
          label="Filters of the catalog"
          form={state}
          hint="Separated by commas: category, min_price, max_price, availability"
        />
        <TextField
          name="supported_payment_methods"
          label="Payment methods"
          form={state}
          hint="Separated by commas: card, paypal, upi"
        />
        <ChoiceField name="format" label="Format" choices={FORMATS} form={state} />
        <div class="actions">
          <button type="submit" class="button button-primary">
            Create the manifest
          </button>
          <button type="submit" name="action" value="download" class="button">
            Download
          </button>
        </div>
      </form>
      <section aria-labelledby="file-title">
        <h2 id="file-title">The file</h2>
        {state.file === null ? (
          <Waiting state={state} />
        ) : (
          <>
            <CodeBlock label="/.well-known/ucp" code={state.file} />
            {state.notes.length > 0 && (
              <Notice kind="info" title="Good to know">
                <ul>
                  {state.notes.map((note) => (
                    <li key={note}>{note}</li>
                  ))}
                </ul>
              </Notice>
            )}
          </>
        )}
      </section>
    </div>
  )
}

function Waiting({ state: { errors } }: { state: ManifestState }): JSX.Element {
  const count = Object.keys(errors).length
  if (count === 0)
    return <p class="quiet">It appears here once the first three fields are filled in.</p>
  return (
    <Notice
      kind="warning"
      title={count === 1 ? 'One field needs correction' : `${count} fields need correction`}
    >
      <p>The form shows where, and what is expected.</p>
    </Notice>
  )
}
