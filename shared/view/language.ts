import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** How the components of `shared/view` write numbers and dates: their words are English. */
export interface Language {
  /** A BCP 47 tag for numbers; an unknown one counts as `en`. */
  locale: string
  /** The same for days and ages, which are words in English sentences. */
  dates: string
}

/** How dates are written in English sentences: outside English, days come before months. */
const englishDates = (locale: string): string => (/^en(?:-|$)/.test(locale) ? locale : 'en-GB')

/** English words, with the numbers of `locale`. */
export const english = (locale = 'en'): Language => ({ locale, dates: englishDates(locale) })

export const LanguageContext = createContext<Language>(english())

export const useLanguage = (): Language => useContext(LanguageContext)
