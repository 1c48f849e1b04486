import { inspect } from 'node:util'
import { Printable } from '../../../shared/web/text/printable.ts'

type StyleName = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Style = StyleName | readonly StyleName[]
export type Paint = (style: Style, text: string | Printable) => Printable

/** Colours only on a terminal; pipes and `NO_COLOR` (https://no-color.org) get plain text. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    Printable.styled(colour ? [style].flat().map(codesOf) : [], text)

/** The codes that begin and end a style, such as 31 and 39. */
function codesOf(name: StyleName): readonly [number, number] {
  const [begin = 0, end = 0] = inspect.colors[name] ?? []
  return [begin, end]
}
