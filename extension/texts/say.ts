import type { TextKey } from './all-texts.ts'

/** The text of a key in the browser's language, its values filled in. */
export type Say = (key: TextKey, ...values: (string | number)[]) => string

/** Fills `$1` to `$9`. Values are inserted as they are, even if they contain `$1` themselves. */
export const fill = (text: string, values: readonly (string | number)[]): string =>
  text.replace(/\$([1-9])/g, (_, digit: string) => String(values[Number(digit) - 1] ?? ''))

export const createSay =
  (texts: Readonly<Record<TextKey, string>>): Say =>
  (key, ...values) =>
    fill(texts[key], values)
