import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Link, useSite } from '../../site.tsx'

interface StatusPanelProps {
  domain: string
  isShown: boolean
}

/** The switch of the public status page, next to the badge. */
export function StatusPanel({ domain, isShown }: StatusPanelProps): JSX.Element {
  const { path, baseUrl } = useSite()
  const page = `/status/${domain}`
  return (
    <section class="card no-print" id="status">
      <h2>Public status page</h2>
      {isShown ? (
        <>
          <p>
            Anyone can see at <Link to={page}>{`${baseUrl}${page}`}</Link> whether AI agents can buy
            here. It shows the score, open incidents in general words and the last 90 days, and
            neither what your store answered nor any revenue.
          </p>
          <CodeBlock
            label="Link for your own pages"
            code={`<a href="${baseUrl}${page}">AI shopping status</a>`}
          />
        </>
      ) : (
        <p>
          A page for your customers and partners that says whether AI agents can buy here, with the
          score and the last 90 days. It does not show what your store answered or any revenue. It
          is not public until you switch it on.
        </p>
      )}
      <form method="post" action={path(`/watches/${domain}/status`)}>
        <input type="hidden" name="shown" value={isShown ? 'no' : 'yes'} />
        <button type="submit" class="button">
          {isShown ? 'Switch the status page off' : 'Switch the status page on'}
        </button>
      </form>
      <p class="quiet">
        A small image with the grade, for your own pages, is{' '}
        <Link to={`/audits/${domain}#badge`}>next to the audit</Link>.
      </p>
    </section>
  )
}
