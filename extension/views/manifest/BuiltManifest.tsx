import { useState } from 'preact/hooks'
import { Action } from '../../../shared/view/Action.tsx'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { copyText, downloadText } from '../export/copy-and-save.ts'
import type { BuiltFile } from './local-manifest.ts'

/** The file to publish, to copy or to save. */
export function BuiltManifest({ file }: { file: BuiltFile }) {
  const { text } = useApp()
  const [copied, setCopied] = useState<string | null>(null)
  const [said, announce] = useAnnouncer()
  const copy = async () => {
    const isCopied = await copyText(file.text)
    setCopied(isCopied ? file.text : null)
    announce(text(isCopied ? 'copied' : 'copy_failed'))
  }
  const save = () => {
    downloadText('ucp.json', 'application/json', file.text)
    announce(text('saved', 'ucp.json'))
  }
  return (
    <div class="stack">
      <p class="wild">
        {text('manifest_publish', `https://${file.domain}/.well-known/ucp`)}{' '}
        {file.server === null
          ? text('manifest_built_here')
          : text('manifest_built_there', file.server)}
      </p>
      <CodeBlock
        code={file.text}
        label={text('manifest_file')}
        onCopy={() => void copy()}
        copied={copied === file.text}
      />
      <div class="actions">
        <Action label={text('download')} onAct={save} />
      </div>
      <LiveRegion text={said} />
      {file.warnings.length > 0 && (
        <Notice kind="warning" title={text('manifest_warnings')}>
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
