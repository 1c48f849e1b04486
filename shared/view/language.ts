import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { say, TEXTS, type TextKey, type Texts } from './texts.ts'

export const TextsContext = createContext<Texts>(TEXTS)

/** A BCP 47 tag for numbers and dates; one that no runtime knows counts as `en`. */
export const LocaleContext = createContext('en')

export interface Language {
  locale: string
  text: (key: TextKey, ...values: (string | number)[]) => string
}

export function useLanguage(): Language {
  const texts = useContext(TextsContext)
  return {
    locale: useContext(LocaleContext),
    text: (key, ...values) => say(texts, key, ...values),
  }
}
