import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Link, useSite } from '../../site.tsx'

interface BadgePanelProps {
  domain: string
  isShown: boolean
}

/** The badge's switch, and how to embed it. */
export function BadgePanel({ domain, isShown }: BadgePanelProps): JSX.Element {
  const { path, baseUrl } = useSite()
  const address = `${baseUrl}/badge/${domain}.svg`
  return (
    <details class="card no-print" open={isShown}>
      <summary>
        <h2 class="folded-title">Badge</h2>
      </summary>
      {isShown ? (
        <>
          <p>Anyone can see the latest grade of this domain at the address below.</p>
          <p>
            <img src={path(`/badge/${domain}.svg`)} alt="The badge as it looks now" height="20" />
          </p>
          <CodeBlock label="HTML" code={`<img src="${address}" alt="AI shopping grade">`} />
        </>
      ) : (
        <p>
          A small image with the latest grade, for your own pages. It is not public until you switch
          it on.
        </p>
      )}
      <form method="post" action={path(`/audits/${domain}/badge`)}>
        <input type="hidden" name="shown" value={isShown ? 'no' : 'yes'} />
        <button type="submit" class="button">
          {isShown ? 'Switch the badge off' : 'Switch the badge on'}
        </button>
      </form>
      <p class="quiet" id="badge">
        A public page that says whether AI agents can buy here, with the last 90 days, is{' '}
        <Link to={`/watches/${domain}#status`}>where you watch {domain}</Link>.
      </p>
    </details>
  )
}
