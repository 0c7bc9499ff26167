import { useLanguage } from '../language/language.tsx'

const inIndonesian: Record<string, string> = { other: 'Bank lain', doku: 'Semua bank (DOKU)' }

/**
 * Returns a function that looks up a channel's display name in the user's language. Most names are brand
 * names, which are the same in both languages.
 */
export function useNameOf(): (channel: { code: string; name: string }) => string {
  const [language] = useLanguage()
  return ({ code, name }) => (language === 'id' ? inIndonesian[code] : undefined) ?? name
}
