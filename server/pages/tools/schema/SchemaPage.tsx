import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import type { SchemaState } from './form.ts'
import { SchemaForm } from './SchemaForm.tsx'

export const SchemaPage = ({ state }: { state: SchemaState }): JSX.Element => (
  <>
    <h1>Make product markup</h1>
    <p class="lead">
      Markup tells machines what a page sells, by whom and at what price. Fill in one product, and
      take the result as the pattern of your template. Nothing that you type here is kept.
    </p>
    <div id="tool">
      <SchemaForm state={state} />
    </div>
    <section class="prose">
      <h2>Where to put it</h2>
      <ul>
        <li>
          Into the HTML that the server sends. Markup that a script adds is not seen by{' '}
          <Link to="/gaps/product_schema_only_after_javascript">most agents</Link>.
        </li>
        <li>
          Once per page: where the theme or a plugin writes markup already, mend that instead.
        </li>
        <li>
          A product with sizes or colours is a ProductGroup with an Offer per variant:{' '}
          <Link to="/gaps/product_schema_aggregate_offer_only">an example</Link>.
        </li>
        <li>Take price and stock from where the page takes them, so that they never differ.</li>
      </ul>
    </section>
  </>
)
