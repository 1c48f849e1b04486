import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/** Colours only on a terminal; pipes and `NO_COLOR` (https://no-color.org) get plain text. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text

/** Text from a store must not control the terminal: control characters are printed escaped. */
export const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16)}`)
