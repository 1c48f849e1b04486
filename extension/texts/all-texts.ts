import { TEXTS } from '../../shared/view/texts.ts'
import { EXTENSION_TEXTS } from './extension-texts.ts'
import { VIEW_TEXTS } from './view-texts.ts'

/** The texts of the shared components, of the extension and of its views, in English. */
export const ALL_TEXTS = { ...TEXTS, ...EXTENSION_TEXTS, ...VIEW_TEXTS }
export type TextKey = keyof typeof ALL_TEXTS

/** Looks a message up; empty when there is none, as `browser.i18n.getMessage` has it. */
export type Lookup = (key: string, values: string[]) => string

const PLACEHOLDERS = Array.from({ length: 9 }, (_, index) => `$${index + 1}`)

/** All texts in the browser's language, placeholders kept; English where one is missing. */
export function localTexts(lookup: Lookup): Record<TextKey, string> {
  const entries = Object.entries(ALL_TEXTS).map(([key, english]) => [
    key,
    lookup(key, PLACEHOLDERS) || english,
  ])
  return asTexts(Object.fromEntries(entries))
}

/** `texts` was made of every entry of `ALL_TEXTS`. */
const asTexts = (texts: Record<string, string>) => texts as Record<TextKey, string>

/** `_locales/en/messages.json`. A `$` that is no placeholder is doubled, as the format asks. */
export const messagesJson = (texts: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(texts).map(([key, text]) => [
    key,
    { message: text.replace(/\$(?![1-9])/g, '$$$$') },
  ])
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}
