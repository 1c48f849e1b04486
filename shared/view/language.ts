import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { TEXTS, type TextKey, type TextOf, textsFrom } from './texts.ts'

/** What the components of `shared/view` are written in. */
export interface Language {
  /** A BCP 47 tag for numbers and dates; one that no runtime knows counts as `en`. */
  locale: string
  text: TextOf<TextKey>
}

/** English words, with the numbers and dates of `locale`. */
export const english = (locale = 'en'): Language => ({ locale, text: textsFrom(TEXTS) })

export const LanguageContext = createContext<Language>(english())

export const useLanguage = (): Language => useContext(LanguageContext)
