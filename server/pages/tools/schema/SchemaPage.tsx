import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import { FromShop } from '../proposed/FromShop.tsx'
import type { MadeFromShop } from '../proposed/make-proposal.ts'
import type { SchemaState } from './form.ts'
import { SchemaForm } from './SchemaForm.tsx'

interface SchemaPageProps {
  state: SchemaState
  made: MadeFromShop | null
}

export const SchemaPage = ({ state, made }: SchemaPageProps): JSX.Element => (
  <>
    <h1>Create product markup</h1>
    <p class="lead">
      Markup tells machines what a page sells, who sells it and at what price. Fill in one product,
      and use the result as a model for your template. Nothing that you type here is stored.
    </p>
    <FromShop made={made}>
      <div id="tool">
        <SchemaForm state={state} />
      </div>
    </FromShop>
    <section class="prose">
      <h2>Where to put it</h2>
      <ul>
        <li>
          In the HTML that the server sends. Markup that a script adds is not seen by{' '}
          <Link to="/gaps/product_schema_only_after_javascript">most agents</Link>.
        </li>
        <li>Once per page: if the theme or a plugin already adds markup, fix that instead.</li>
        <li>
          A product with sizes or colours is a ProductGroup with an Offer per variant:{' '}
          <Link to="/gaps/product_schema_aggregate_offer_only">an example</Link>.
        </li>
        <li>Take price and stock from the same source as the page, so that they never differ.</li>
      </ul>
    </section>
  </>
)
