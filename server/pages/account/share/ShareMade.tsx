import type { JSX } from 'preact'
import { Action } from '../../../../shared/view/Action.tsx'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import type { Share } from '../../../db/access/shares.ts'
import { ShareEnd } from './ShareEnd.tsx'

interface ShareMadeProps extends Pick<Share, 'domain' | 'view' | 'expires_at'> {
  link: string
  /** The page that the link shows. */
  back: string
}

export function ShareMade({ link, back, domain, view, expires_at }: ShareMadeProps): JSX.Element {
  return (
    <div class="narrow">
      <h1>Link created</h1>
      <Notice kind="success" title="Copy it now: it is not shown again" />
      <CodeBlock label={`Link to the ${view} of ${domain}`} code={link} />
      <p>
        Anyone who has it can open it <ShareEnd at={expires_at} />.
      </p>
      <Action label={`Back to the ${view}`} href={back} />
    </div>
  )
}
