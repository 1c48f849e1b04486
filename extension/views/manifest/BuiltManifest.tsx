import { useState } from 'preact/hooks'
import { Action } from '../../../shared/view/Action.tsx'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { copyText, downloadText } from '../export/copy-and-save.ts'
import type { BuiltFile } from './local-manifest.ts'

/** The file to publish, to copy or to save. */
export function BuiltManifest({ file }: { file: BuiltFile }) {
  const [copied, setCopied] = useState<string | null>(null)
  const [said, announce] = useAnnouncer()
  const copy = async () => {
    const isCopied = await copyText(file.text)
    setCopied(isCopied ? file.text : null)
    announce(
      isCopied ? 'Copied' : 'The browser did not allow copying. Select the text and copy it.',
    )
  }
  const save = () => {
    downloadText('ucp.json', 'application/json', file.text)
    announce(`Saved ucp.json.`)
  }
  return (
    <div class="stack">
      <p class="wild">
        Publish it as {`https://${file.domain}/.well-known/ucp`}, with Content-Type
        application/json.{' '}
        {file.server === null
          ? 'Created in your browser; nothing was sent.'
          : `Created by ${file.server}.`}
      </p>
      <CodeBlock
        code={file.text}
        label="Manifest"
        onCopy={() => void copy()}
        copied={copied === file.text}
      />
      <div class="actions">
        <Action label="Download" onAct={save} />
      </div>
      <LiveRegion text={said} />
      {file.warnings.length > 0 && (
        <Notice kind="warning" title="Before you publish">
          <ul>
            {file.warnings.map((warning) => (
              <li key={warning} class="wild">
                {warning}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
