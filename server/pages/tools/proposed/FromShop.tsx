import { type ComponentChildren, Fragment, type JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { counted } from '../../../../shared/web/text/english-count.ts'
import { Link } from '../../site.tsx'
import type { MadeFromShop } from './make-proposal.ts'

interface FromShopProps {
  made: MadeFromShop | null
  /** What can be done by hand instead; folded away where something was made. */
  children?: ComponentChildren
}

/** The files that were made from a shop, ready to copy. */
export function FromShop({ made, children }: FromShopProps): JSX.Element {
  const isMade = made?.is === 'made'
  return (
    <>
      {made !== null && <Made made={made} />}
      {isMade && children ? (
        <details>
          <summary>Fill in a form instead</summary>
          {children}
        </details>
      ) : (
        children
      )}
    </>
  )
}

function Made({ made }: { made: MadeFromShop }): JSX.Element {
  const { domain } = made
  if (made.is === 'offered') {
    return (
      <form method="get" class="inline-form">
        <input type="hidden" name="domain" value={domain} />
        <button type="submit" class="button button-primary">
          Make it from {domain}
        </button>
      </form>
    )
  }
  if (made.is === 'failed') {
    return (
      <Notice kind="warning" title={`Nothing could be made from ${domain}`}>
        <p>{made.why}</p>
      </Notice>
    )
  }
  const { files, missing, notes, check_after } = made.proposal
  const isByHand = files.length === 0 && missing.length > 0
  const title = files.length > 0 ? 'Made from' : isByHand ? 'To put right in' : 'No file for'
  return (
    <section aria-labelledby="made-title" class="card">
      <h2 id="made-title">{`${title} ${domain}`}</h2>
      {isByHand && <p>No file closes this: correct it where the store makes it.</p>}
      {files.map(({ path, url, placement, replaces, content }) => (
        <Fragment key={`${path} ${url}`}>
          <p class="wild">
            {placement === 'file' ? `To serve at ${url}` : `For the <head> of ${url}`}
            {replaces !== null && `. Replaces: ${replaces}.`}
          </p>
          <CodeBlock label={path} code={content} />
        </Fragment>
      ))}
      <Points
        title="What only you know, or can put right"
        of={inOnePerCause(missing).map(inWords)}
      />
      <Points title={files.length > 0 ? 'Before you publish' : 'Why'} of={notes} />
      {check_after.length > 0 && (
        <p>
          When it is published, <Link to={`/audits/${domain}`}>audit {domain} again</Link>.
        </p>
      )}
    </section>
  )
}

/** The fields of the API, as they are called on a page. */
const FIELDS: Readonly<Record<string, string>> = {
  shop_name: 'Name of the store',
  logo: 'Logo',
  brand: 'Brand',
  shipping: 'Shipping',
  returns: 'Returns',
  pages: 'Product pages',
}

const inWords = (point: string): string =>
  point.replace(/^([a-z_]+):/, (whole, field: string) =>
    Object.hasOwn(FIELDS, field) ? `${FIELDS[field]}:` : whole,
  )

/** What is the same on several pages stands once, with the first of them. */
function inOnePerCause(points: readonly string[]): string[] {
  const causes = Map.groupBy(points, (point) => point.replace(/^https?:\/\/\S+: /, ''))
  return [...causes.values()].map(([first = '', ...more]) =>
    more.length === 0 ? first : `${first} The same on ${counted(more.length, 'more page')}.`,
  )
}

function Points({ title, of }: { title: string; of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {of.map((point) => (
          <li key={point} class="wild">
            {point}
          </li>
        ))}
      </ul>
    </>
  )
}
