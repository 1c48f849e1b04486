import type { ComponentChildren, JSX } from 'preact'
import { useLanguage } from '../language.ts'
import type { TextKey } from '../texts.ts'

/**
 * A text with one value in it. The value cannot change the writing direction of the words around it
 * (https://html.spec.whatwg.org/#the-bdi-element).
 */
export function Said({
  text: key,
  children,
}: {
  text: TextKey
  children: ComponentChildren
}): JSX.Element {
  const { text } = useLanguage()
  const [before, after] = text(key, '\n').split('\n')
  return (
    <>
      {before}
      <bdi>{children}</bdi>
      {after}
    </>
  )
}
