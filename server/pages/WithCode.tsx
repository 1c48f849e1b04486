import type { JSX } from 'preact'

/** Text in which backticks mark code. */
export function WithCode({ text }: { text: string }): JSX.Element {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
}
