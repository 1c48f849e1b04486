import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { AreaField, CheckField, ChoiceField, TextField } from '../form-fields.tsx'
import type { SchemaState } from './form.ts'

const AVAILABILITIES = [
  ['in_stock', 'In stock'],
  ['out_of_stock', 'Out of stock'],
  ['preorder', 'Preorder'],
  ['backorder', 'Backorder'],
] as const

/** The form and the markup that it creates. Rendered by the server, and again on each input. */
export function SchemaForm({ state }: { state: SchemaState }): JSX.Element {
  return (
    <div class="columns">
      <form method="post" class="card">
        <fieldset>
          <legend>The store</legend>
          <TextField
            name="domain"
            label="Domain"
            required
            form={state}
            hint="Such as shop.example"
          />
          <TextField name="shop_name" label="Name" required form={state} />
          <TextField
            name="logo"
            label="Logo"
            inputMode="url"
            form={state}
            hint="The https URL of the image"
          />
          <AreaField
            name="profiles"
            label="Profiles elsewhere"
            rows={2}
            form={state}
            hint="One https URL per line, such as your social media profiles"
          />
        </fieldset>
        <fieldset>
          <legend>The product</legend>
          <TextField name="name" label="Name of the product" required form={state} />
          <TextField name="url" label="Page" required inputMode="url" form={state} />
          <AreaField
            name="images"
            label="Images"
            rows={2}
            required
            form={state}
            hint="One https URL per line"
          />
          <AreaField name="description" label="Description" form={state} />
          <div class="field-row">
            <TextField name="brand" label="Brand" form={state} />
            <TextField name="sku" label="SKU" form={state} />
          </div>
          <TextField
            name="gtin"
            label="GTIN"
            inputMode="numeric"
            form={state}
            hint="The number under the barcode, if there is one"
          />
        </fieldset>
        <fieldset>
          <legend>The offer</legend>
          <div class="field-row">
            <TextField
              name="price"
              label="Price"
              required
              inputMode="decimal"
              form={state}
              hint="Such as 19.99"
            />
            <TextField name="currency" label="Currency" required form={state} hint="Such as USD" />
          </div>
          <ChoiceField
            name="availability"
            label="Availability"
            choices={AVAILABILITIES}
            form={state}
          />
          <div class="field-row">
            <TextField
              name="shipping_price"
              label="Shipping"
              inputMode="decimal"
              form={state}
              hint="In the same currency; 0 if free"
            />
            <TextField
              name="shipping_country"
              label="Shipped to"
              form={state}
              hint="Country, such as US"
            />
          </div>
          <div class="field-row">
            <TextField
              name="return_days"
              label="Days to return"
              inputMode="numeric"
              form={state}
              hint="0 if not possible"
            />
            <TextField
              name="return_country"
              label="Returned from"
              form={state}
              hint="Country, such as US"
            />
          </div>
          <CheckField name="return_free" label="Returns are free" form={state} />
        </fieldset>
        <div class="actions">
          <button type="submit" class="button button-primary">
            Create the markup
          </button>
        </div>
      </form>
      <section aria-labelledby="markup-title">
        <h2 id="markup-title">The markup</h2>
        <Markup state={state} />
      </section>
    </div>
  )
}

function Markup({ state: { markup, errors } }: { state: SchemaState }): JSX.Element {
  const count = Object.keys(errors).length
  if (markup === null && count === 0) {
    return <p class="quiet">It appears here once all required fields are filled in.</p>
  }
  if (markup === null) {
    return (
      <Notice
        kind="warning"
        title={count === 1 ? 'One field needs correction' : `${count} fields need correction`}
      >
        <p>The form shows where, and what is expected.</p>
      </Notice>
    )
  }
  const { product, home, left_out } = markup
  return (
    <>
      <CodeBlock label="For the head of the product page" code={product} />
      <CodeBlock label="For the head of the home page" code={home} />
      {left_out.length === 0 ? (
        <Notice kind="success" title="An audit would find no gap in this markup" />
      ) : (
        <Notice kind="info" title="An audit would still find">
          <ul>
            {left_out.map(({ gap, text }) => (
              <li key={gap}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
