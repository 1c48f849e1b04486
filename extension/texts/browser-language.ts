import { browser } from 'wxt/browser'
import { localTexts, type TextKey } from './all-texts.ts'

// What `wxt prepare` would generate, so that the types hold without it.
declare module 'wxt/browser' {
  interface WxtI18n {
    getMessage(key: string, values: string[]): string
  }
}

/** All texts in the browser's language. Give them to `createSay` and to `TextsContext`. */
export const browserTexts = (): Record<TextKey, string> =>
  localTexts((key, values) => browser.i18n.getMessage(key, values))

/** BCP 47, for dates and numbers. */
export const browserLocale = (): string => browser.i18n.getUILanguage()
