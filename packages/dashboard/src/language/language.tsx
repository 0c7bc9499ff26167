// Texts in English and Indonesian. Each component defines its texts in both languages. A missing text is a type
// error.

import { useLocalStorage } from '@mantine/hooks'
import { createContext, type ReactNode, useContext, useEffect } from 'react'

export type Language = 'en' | 'id'

type Widened<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Widened<T[Key]>
}

type Words<T> = Record<Language, Widened<T>>

/** Defines texts in both languages. Both languages must have the same keys. */
export const words = <const T,>(both: { en: T; id: Widened<T> }): Words<T> => both as Words<T>

const LanguageContext = createContext<[Language, (language: Language) => void]>(['en', () => {}])

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useLocalStorage<Language>({
    key: 'gapura-language',
    defaultValue: navigator.language.startsWith('id') ? 'id' : 'en',
    getInitialValueInEffect: false,
  })
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <LanguageContext value={[language, setLanguage]}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

export function useWords<T>(both: Words<T>): Widened<T> {
  const [language] = useLanguage()
  return both[language]
}
