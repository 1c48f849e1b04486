import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { TEXTS, type TextKey, type TextOf, textsFrom } from './texts.ts'

/** What the components of `shared/view` are written in. */
export interface Language {
  /** A BCP 47 tag for numbers; one that no runtime knows counts as `en`. */
  locale: string
  /** The same for days and ages: their words stand in sentences of `text`. */
  dates: string
  text: TextOf<TextKey>
}

/** How dates are written in English sentences: outside English, days stand before months. */
export const englishDates = (locale: string): string =>
  /^en(?:-|$)/.test(locale) ? locale : 'en-GB'

/** English words, with the numbers of `locale`. */
export const english = (locale = 'en'): Language => ({
  locale,
  dates: englishDates(locale),
  text: textsFrom(TEXTS),
})

export const LanguageContext = createContext<Language>(english())

export const useLanguage = (): Language => useContext(LanguageContext)
