import type { JSX } from 'preact'

interface CodeBlockProps {
  code: string
  /** The label, such as a file's name. */
  label: string
  onCopy?: (() => void) | undefined
  /** Whether `onCopy` has just been done. */
  copied?: boolean | undefined
}

/** Text to copy verbatim; without `onCopy` there is no button. */
export function CodeBlock({ code, label, onCopy, copied = false }: CodeBlockProps): JSX.Element {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        {onCopy !== undefined && (
          <button type="button" class="button button-small" onClick={onCopy}>
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
