import { browser } from 'wxt/browser'
import { englishDates } from '../../shared/view/language.ts'
import { textsFrom } from '../../shared/view/texts.ts'
import { localMessages, type MessageText } from './messages.ts'

// What `wxt prepare` would generate (https://wxt.dev/guide/essentials/i18n.html), so that the types
// hold without it.
declare module 'wxt/browser' {
  interface WxtI18n {
    getMessage(key: string, values: string[]): string
  }
}

export interface AppLanguage {
  /** BCP 47, for numbers. */
  locale: string
  /** The same for dates: in English, as its texts are. */
  dates: string
  text: MessageText
}

/** The browser's language; English if there are no texts in it. */
export function browserLanguage(): AppLanguage {
  const locale = browser.i18n.getUILanguage()
  return {
    locale,
    dates: englishDates(locale),
    text: textsFrom(localMessages((key, values) => browser.i18n.getMessage(key, values))),
  }
}
