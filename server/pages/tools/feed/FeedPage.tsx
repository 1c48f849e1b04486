import type { JSX } from 'preact'
import type { RowOutcome, UploadCause } from '../../../../shared/audit/checks/feed/upload.ts'
import {
  causeText,
  type DestinationResult,
  feedText,
  formatText,
  isReady,
  olderPageText,
  type UploadResult,
} from '../../../../shared/audit/checks/feed/upload-result.ts'
import {
  DESTINATION_NAMES,
  type FeedDestination,
} from '../../../../shared/audit/checks/feed/vendors/destinations.ts'
import { DESTINATIONS } from '../../../../shared/audit/checks/feed/vendors/tables.ts'
import { Field } from '../../../../shared/view/form/Field.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { englishCount } from '../../../../shared/web/text/english-count.ts'
import { TextField } from '../form-fields.tsx'
import type { FeedFormState } from './form.ts'

const nameOf = (destination: FeedDestination): string => DESTINATIONS[destination].google.vendor

/** A form with a file, and what was found in it. Needs no script. */
export const FeedPage = ({ state }: { state: FeedFormState }): JSX.Element => (
  <>
    <h1>Check a product feed</h1>
    <p class="lead">
      Before you upload it: which products each destination would leave out, and why. Nothing of the
      file is kept.
    </p>
    {state.checked !== null && <Checked checked={state.checked} />}
    <FeedForm state={state} />
    <p>
      For files over 64 MiB, and in a pipeline: <code>npx aisle feed check products.tsv.gz</code>
    </p>
  </>
)

const FeedForm = ({ state }: { state: FeedFormState }): JSX.Element => (
  <form method="post" enctype="multipart/form-data" class="card">
    <fieldset>
      <legend>Destinations</legend>
      {DESTINATION_NAMES.map((name) => (
        <label key={name} class="check field">
          <input
            type="checkbox"
            name="for"
            value={name}
            checked={state.destinations.includes(name)}
          />
          {nameOf(name)}
        </label>
      ))}
    </fieldset>
    <TextField
      name="url"
      label="Address"
      inputMode="url"
      form={state}
      hint="Of a feed that is published, such as https://shop.example/feed.xml"
    />
    <Field
      id="feed"
      label="File"
      optional
      error={state.errors.feed}
      hint="RSS, Atom, TSV, CSV, JSON Lines, each also as gzip, or Parquet. Up to 64 MiB; compress a large one with gzip"
    >
      {(attributes) => <input {...attributes} type="file" name="feed" />}
    </Field>
    <button type="submit" class="button button-primary">
      Check
    </button>
  </form>
)

function Checked({ checked }: { checked: NonNullable<FeedFormState['checked']> }): JSX.Element {
  const { result, leftOut, name } = checked
  const { problem, products, destinations } = result
  return (
    <section aria-labelledby="verdict-title">
      <h2 id="verdict-title" class="wild">
        {name}
      </h2>
      <Notice kind={isReady(result) ? 'success' : 'error'} title={verdictOf(result)}>
        <p>{feedText(result)}.</p>
        {problem !== null && <p>{problem}</p>}
      </Notice>
      {products > 0 &&
        destinations.map((to) => <Destination key={to.destination} result={result} to={to} />)}
      {leftOut.length > 0 && <LeftOut result={result} leftOut={leftOut} />}
    </section>
  )
}

function verdictOf({ problem, products, left_out, ...result }: UploadResult): string {
  if (isReady({ problem, products, left_out, ...result })) return 'All products would be listed'
  if (problem !== null) return 'The feed was not read to its end'
  return left_out === 0
    ? 'A destination does not take this format'
    : `${englishCount(left_out)} of ${englishCount(products)} products would be left out`
}

function Destination({ result, to }: { result: UploadResult; to: DestinationResult }): JSX.Element {
  const { name, left_out, causes, page, read_on, note } = to
  const notes = [note, formatText(result, to), olderPageText(to)].flatMap((text) => text ?? [])
  return (
    <section class="card" aria-label={name}>
      <h3>
        {name}:{' '}
        {left_out === 0
          ? 'all would be listed'
          : `${englishCount(left_out)} of ${englishCount(result.products)} would be left out`}
      </h3>
      <p class="quiet">
        By <Outside to={page}>its rules</Outside> as of {read_on}.
      </p>
      {notes.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {causes.length > 0 && (
        <table class="findings">
          <caption class="sr-only">Causes</caption>
          <thead>
            <tr>
              <th scope="col">Cause</th>
              <th scope="col">Products</th>
              <th scope="col">First of them</th>
            </tr>
          </thead>
          <tbody>
            {causes.map((cause) => (
              <Cause key={cause.field + cause.kind} cause={cause} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Products that are shown of each cause; JSON of the command has more. */
const SHOWN = 3

const Cause = ({ cause }: { cause: UploadCause }): JSX.Element => (
  <tr>
    <th scope="row">
      {causeText(cause)} <span class="quiet">({cause.leaves_out ? 'left out' : 'wrong'})</span>
      <br />
      <span class="quiet">
        Expected {cause.expected}. <Outside to={cause.source}>Rule</Outside>
      </span>
    </th>
    <td>{englishCount(cause.count)}</td>
    <td>
      <ul>
        {cause.examples.slice(0, SHOWN).map((product) => (
          <li key={product.row} class="wild">
            <Product {...product} />
            {product.value !== null && `: ${product.value.slice(0, 80)}`}
          </li>
        ))}
      </ul>
    </td>
  </tr>
)

const LeftOut = ({
  result,
  leftOut,
}: {
  result: UploadResult
  leftOut: readonly RowOutcome[]
}): JSX.Element => (
  <section class="card" aria-labelledby="left-out-title">
    <h3 id="left-out-title">Products that would be left out</h3>
    {result.left_out > leftOut.length && (
      <p class="quiet">
        The first {englishCount(leftOut.length)} of {englishCount(result.left_out)}. All of them:{' '}
        <code>npx aisle feed check &lt;file&gt; --products left-out.jsonl</code>
      </p>
    )}
    <table class="findings">
      <caption class="sr-only">Products, and why each destination would leave them out</caption>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col">Left out by</th>
        </tr>
      </thead>
      <tbody>
        {leftOut.map(({ row, id, title, link, left_out }) => (
          <tr key={row}>
            <th scope="row" class="wild">
              <Product row={row} id={id} link={link} />
              {title !== null && <span class="quiet"> {title.slice(0, 80)}</span>}
            </th>
            <td>
              <ul>
                {left_out.map(({ destination, causes }) => (
                  <li key={destination}>
                    {nameOf(destination)}: {causes.map(causeText).join(', ')}
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

function Product({
  row,
  id,
  link,
}: {
  row: number
  id: string | null
  link: string | null
}): JSX.Element | string {
  const name = `row ${englishCount(row)}${id === null ? '' : ` (${id.slice(0, 60)})`}`
  return link !== null && /^https?:\/\//i.test(link) ? <Outside to={link}>{name}</Outside> : name
}

/** A link to a page of others, which a feed may name. */
const Outside = ({ to, children }: { to: string; children: string }): JSX.Element => (
  <a href={to} rel="nofollow noopener noreferrer">
    {children}
  </a>
)
