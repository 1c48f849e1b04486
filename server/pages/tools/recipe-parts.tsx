import type { JSX } from 'preact'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { Link } from '../site.tsx'
import { WithCode } from '../WithCode.tsx'
import { fillIn, type OwnNames } from './orders/recipe-files.ts'
import type { Proof, Recipe } from './orders/recipes.ts'

/** The first thing to know about a recipe. */
export const PROOF_TITLES: Record<Proof['is'], string> = {
  tested: 'Tested end to end',
  in_part: 'Tested in part',
  untested: 'Not tested',
}

export const ProofNotice = ({ proof }: { proof: Proof }): JSX.Element => (
  <Notice kind={proof.is === 'untested' ? 'warning' : 'info'} title={PROOF_TITLES[proof.is]}>
    <p>{proof.how}</p>
  </Notice>
)

interface RecipeStepsProps {
  steps: Recipe['steps']
  code: Readonly<Record<string, string>>
  names: OwnNames
}

/** The steps of a recipe in their order, with the store's own names in their code. */
export const RecipeSteps = ({ steps, code, names }: RecipeStepsProps): JSX.Element => (
  <>
    {steps.map(({ title, text, files = [], download }, at) => (
      <section key={title}>
        <div class="prose">
          <h2>
            {at + 1}. {title}
          </h2>
          <p>
            <WithCode text={text} />
          </p>
          {download && (
            <p>
              <Link class="button" to={download} download>
                Download {download.slice(1)}
              </Link>
            </p>
          )}
        </div>
        {files.map(({ name, code: path }) => (
          <CodeBlock key={name} label={name} code={fillIn(code[path] ?? '', names).trimEnd()} />
        ))}
      </section>
    ))}
  </>
)

/** What comes after how to see that a recipe works. */
export const RecipeEnd = ({
  recipe: { platform, limits, sources },
}: {
  recipe: Pick<Recipe, 'platform' | 'limits' | 'sources'>
}): JSX.Element => (
  <>
    {limits !== undefined && (
      <>
        <h2>What it does not cover</h2>
        <p>
          <WithCode text={limits} />
        </p>
      </>
    )}
    {sources.length > 0 && (
      <>
        <h2>Documents of {platform}</h2>
        <ul>
          {sources.map(({ title, url }) => (
            <li key={url}>
              <a href={url}>{title}</a>
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)
