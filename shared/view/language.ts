import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { TEXTS, type TextKey, type TextOf, textsFrom } from './texts.ts'

/** The language of the components of `shared/view`. */
export interface Language {
  /** A BCP 47 tag for numbers; an unknown one counts as `en`. */
  locale: string
  /** The same for days and ages, which are words in sentences of `text`. */
  dates: string
  text: TextOf<TextKey>
}

/** How dates are written in English sentences: outside English, days come before months. */
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
