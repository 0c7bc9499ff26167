// What the server's schemas and the server itself say of a field, in the reader's language. They say it in English; what is
// not known here is shown as it was said.

import { type Language, useLanguage } from './language.tsx'

const indonesian: readonly (readonly [said: RegExp, shown: string])[] = [
  [/^must not be empty$/, 'wajib diisi'],
  [/^must be at least (\d+) characters$/, 'minimal $1 karakter'],
  [/^must be at most (\d+) characters$/, 'maksimal $1 karakter'],
  [/^must be an e-mail address$/, 'harus berupa alamat email'],
  [/^must be a UUID$/, 'harus berupa UUID'],
  [/^must be a URL$/, 'harus berupa URL'],
  [/^must begin with (\S+)$/, 'harus diawali $1'],
  [/^must not carry a user name or password$/, 'tidak boleh memuat nama pengguna atau kata sandi'],
  [/^must not name a private or reserved address$/, 'tidak boleh berupa alamat privat atau khusus'],
  [/^must not name this machine$/, 'tidak boleh menunjuk ke mesin ini'],
  [/^is wrong$/, 'salah'],
  [/^(\S+) is already in use$/, '$1 sudah dipakai'],
  [
    /^is not valid; it was used, has expired or never was\. Request another$/,
    'tidak berlaku: sudah dipakai, kedaluwarsa, atau tidak pernah ada. Minta yang baru',
  ],
]

export function complaintIn(language: Language, said: string): string {
  if (language === 'en') return said
  const [pattern, shown] = indonesian.find(([known]) => known.test(said)) ?? []
  return pattern && shown ? said.replace(pattern, shown) : said
}

export function useComplaint(): (said: string) => string {
  const [language] = useLanguage()
  return said => complaintIn(language, said)
}
