import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/** Colour only where someone sees it; `NO_COLOR` and pipes get plain text. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text

/** A stranger's text must not steer the terminal: control characters are shown as such. */
export const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16)}`)
