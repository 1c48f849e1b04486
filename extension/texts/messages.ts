import { TEXTS, type TextOf } from '../../shared/view/texts.ts'
import { EXTENSION_TEXTS } from './texts.ts'

/** The texts of the shared components and of the extension, in English. */
export const MESSAGES = { ...TEXTS, ...EXTENSION_TEXTS }
export type MessageKey = keyof typeof MESSAGES

/** Gives the text of a key in the browser's language, with its values filled in. */
export type MessageText = TextOf<MessageKey>

/**
 * Looks a message up; empty if there is none, like `browser.i18n.getMessage`
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/i18n/getMessage).
 */
export type Lookup = (key: string, values: string[]) => string

/** Passed as the values, so that the browser returns the placeholders in their places. */
const PLACEHOLDERS = Array.from({ length: 9 }, (_, index) => `$${index + 1}`)

/** All texts in the browser's language, placeholders kept; English where one is missing. */
export function localMessages(lookup: Lookup): Record<MessageKey, string> {
  const entries = Object.entries(MESSAGES).map(([key, english]) => [
    key,
    lookup(key, PLACEHOLDERS) || english,
  ])
  return asMessages(Object.fromEntries(entries))
}

/** `messages` has every entry of `MESSAGES`. */
const asMessages = (messages: Record<string, string>) => messages as Record<MessageKey, string>

/**
 * Writes `_locales/en/messages.json`. A `$` that is not a placeholder is doubled, as the format
 * requires (https://developer.chrome.com/docs/extensions/how-to/ui/localization-message-formats).
 */
export const messagesJson = (texts: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(texts).map(([key, text]) => [
    key,
    { message: text.replace(/\$(?![1-9])/g, '$$$$') },
  ])
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}
