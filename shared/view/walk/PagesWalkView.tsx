import type { JSX } from 'preact'
import type { GapLinks } from '../../audit/result/result.ts'
import { isObstacle, PAGE_FINDINGS } from '../../walk/pages/findings.ts'
import type { PagesKept, PagesKeptStep } from '../../walk/pages/pages-kept.ts'
import { pagesText } from '../../walk/pages/pages-text.ts'
import { counted } from '../../web/text/english-count.ts'
import { NEW_TAB } from '../Action.tsx'
import { safeHref } from '../audit/safe-href.ts'
import { Icon } from '../Icon.tsx'
import { ToolFacts } from '../webmcp/ToolFacts.tsx'
import { WalkPicture } from './pictures.tsx'

interface PagesWalkViewProps {
  pages: PagesKept
  links: GapLinks
  newTab: boolean
}

/** A walk through pages: its pictures in a row, and what an agent saw, needed and did not find. */
export function PagesWalkView({ pages, links, newTab }: PagesWalkViewProps): JSX.Element {
  const { tools } = pages
  return (
    <section>
      <h2>Through the pages</h2>
      <p>{pagesText(pages).join(' ') || 'A browser opens the first page.'}</p>
      <p class="quiet">
        As an agent with a browser buys: by what the accessibility tree says, without a language
        model. Nothing is paid.
      </p>
      <ol class="walk-pages">
        {pages.steps.map((step) => (
          <li key={step.n} class="card walk-page">
            <PageStep {...{ step, links, newTab }} />
          </li>
        ))}
      </ol>
      {tools !== null && tools.tools.length > 0 && (
        <>
          <h3>Tools for agents</h3>
          <p class="quiet">
            The product page offers tools to agents in the browser (WebMCP). Those that say to
            change nothing were called about its product; the others never are.
          </p>
          <ToolFacts {...tools} />
        </>
      )}
    </section>
  )
}

const STAGES: Record<PagesKeptStep['stage'], string> = {
  product: 'Product',
  basket: 'Basket',
  checkout: 'Checkout',
}

interface PageStepProps extends Omit<PagesWalkViewProps, 'pages'> {
  step: PagesKeptStep
}

function PageStep({ step, links, newTab }: PageStepProps): JSX.Element {
  const { n, stage, url, does, element, sees, findings, picture } = step
  return (
    <>
      <h3>
        {n}. {STAGES[stage]}
      </h3>
      {picture !== null && (
        <WalkPicture path={picture} alt={`The page of step ${n}`}>
          {findings.flatMap(({ id, box, element: about }) =>
            box === null ? (
              []
            ) : (
              <rect
                key={`${id} ${about.selector}`}
                class={isObstacle({ id }) ? 'is-obstacle' : undefined}
                {...box}
              />
            ),
          )}
        </WalkPicture>
      )}
      <dl>
        <dt>Page</dt>
        <dd class="wild">{url}</dd>
        <dt>Next</dt>
        <dd class="wild">
          {does ?? 'The walk ends here.'} {element !== null && <code>{element}</code>}
        </dd>
        {findings.length > 0 && <dt>Needed and not found</dt>}
        {findings.map((finding) => (
          <Finding
            key={`${finding.id} ${finding.element.selector}`}
            {...{ finding, links, newTab }}
          />
        ))}
      </dl>
      <details>
        <summary>What the agent saw: {counted(sees.length, 'control')}</summary>
        <ul class="walk-sees">
          {sees.map((each, at) => (
            <li key={at} class="wild">
              <code>{each}</code>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

interface FindingProps {
  finding: PagesKeptStep['findings'][number]
  links: GapLinks
  newTab: boolean
}

function Finding({ finding, links, newTab }: FindingProps): JSX.Element {
  const { id, detail, element } = finding
  const docs = safeHref(links.docs(PAGE_FINDINGS[id][2]))
  return (
    <dd class={isObstacle({ id }) ? 'walk-obstacle' : 'walk-friction'}>
      <p class="wild">
        <span class="walk-sign">
          <Icon shape={isObstacle({ id }) ? 'cross' : 'triangle'} />
        </span>{' '}
        <strong>{PAGE_FINDINGS[id][1]}.</strong> <bdi>{detail}</bdi>
      </p>
      <p class="wild">
        <code>
          {[element.role, element.name === '' ? '(no name)' : `“${element.name}”`].join(' ')}
        </code>
        {element.selector !== '' && (
          <>
            {' '}
            at <code>{element.selector}</code>
          </>
        )}
      </p>
      {docs !== null && (
        <p>
          <a href={docs} {...(newTab ? NEW_TAB : {})}>
            What to change
          </a>
        </p>
      )}
    </dd>
  )
}
