import type { JSX } from 'preact'
import { Action } from '../../../shared/view/Action.tsx'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { formatDateTime } from '../../../shared/view/format.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { Share } from '../../db/shares.ts'

export interface ShareMadeProps {
  link: string
  /** The page that it shows. */
  back: string
  domain: string
  view: Share['view']
  expiresAt: Date | null
}

export function ShareMade({ link, back, domain, view, expiresAt }: ShareMadeProps): JSX.Element {
  const { locale } = useLanguage()
  return (
    <div class="narrow">
      <h1>A link is made</h1>
      <Notice kind="success" title="Copy it now: it is shown this once." />
      <CodeBlock label={`Link to the ${view} of ${domain}`} code={link} />
      <p>
        {expiresAt === null
          ? 'It opens until you end it.'
          : `It opens until ${formatDateTime(expiresAt.toISOString(), locale)} UTC, unless you end it before.`}
      </p>
      <Action label="Back" href={back} />
    </div>
  )
}
