import { browser } from 'wxt/browser'
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
  /** BCP 47, for dates and numbers. */
  locale: string
  text: MessageText
}

/** What the browser is set to; English where there are no texts in its language. */
export const browserLanguage = (): AppLanguage => ({
  locale: browser.i18n.getUILanguage(),
  text: textsFrom(localMessages((key, values) => browser.i18n.getMessage(key, values))),
})
