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
  [/^must be one of (.+)$/, 'harus salah satu dari $1'],
  [/^must not be below min_amount$/, 'tidak boleh di bawah batas bawahnya'],
  [
    /^must be an http or https URL without user, query or fragment$/,
    'harus berupa URL http atau https tanpa pengguna, query, atau fragmen',
  ],
  [/^is needed; it is kept with the (record|payment)$/, 'wajib diisi; disimpan bersama catatannya'],
  [
    /^is no provider account that (?:you can grant|the tenant is entitled to)$/,
    'bukan akun yang dapat dipakai',
  ],
  [/^is in the list already$/, 'sudah ada dalam daftar'],
  [/^(\S+) is not offered by ([^;]+)$/, '$1 tidak disediakan oleh $2'],
  [/^(\S+) is not offered by ([^;]+); it has (.+)$/, '$1 tidak disediakan oleh $2; yang tersedia: $3'],
  [
    /^must be all .+ cents, since none of it was credited$/,
    'harus semuanya, karena belum ada yang dikreditkan',
  ],
  [/^Too small: expected number to be >=(\d+)$/, 'minimal $1'],
  [/^Too big: expected number to be <=(\d+)$/, 'maksimal $1'],
  [/^Invalid input: expected (?:number|int), received .+$/, 'wajib berupa angka'],
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
