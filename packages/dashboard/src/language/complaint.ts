// What the server's schemas and the server itself say, of a field or of the whole, in the reader's language. They say it in
// English; what is not known here is shown as it was said.

import { type Language, useLanguage } from './language.tsx'

const indonesian: readonly (readonly [said: RegExp, shown: string])[] = [
  [/^must not be empty$/, 'wajib diisi'],
  [/^must be at least (\d+) characters$/, 'minimal $1 karakter'],
  [/^must be at most (\d+) characters$/, 'maksimal $1 karakter'],
  [/^must be an e-mail address$/, 'harus berupa alamat email'],
  [/^must be a UUID$/, 'harus berupa UUID'],
  [/^must be the UUID of a payment, or its payment code$/, 'harus berupa UUID atau kode pembayaran'],
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
  [/^Invalid input: expected string, received .+$/, 'wajib diisi'],
  [/^must be greater than zero$/, 'harus lebih dari nol'],
  [/^must hold at most (\d+) items$/, 'maksimal $1 baris'],
  [/^is wrong$/, 'salah'],
  [/^(\S+) is already in use$/, '$1 sudah dipakai'],
  [
    /^is not valid; it was used, has expired or never was\. Request another$/,
    'tidak berlaku: sudah dipakai, kedaluwarsa, atau tidak pernah ada. Minta yang baru',
  ],
  [/^e-mail address or password is wrong$/, 'Alamat email atau kata sandi salah'],
  [/^this tenant is suspended$/, 'Tenant ini sedang ditangguhkan'],
  [
    /^too many failed log-ins; try again in (\d+) seconds$/,
    'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam $1 detik',
  ],
  [/^this key may send (\d+) requests a second; slow down$/, 'Terlalu banyak permintaan; coba lagi sebentar'],
  [/^payment \S+ not found$/, 'Pembayaran tidak ditemukan'],
  [/^tenant \S+ not found$/, 'Tenant tidak ditemukan'],
  [/^API key \S+ not found$/, 'Kunci API tidak ditemukan'],
  [/^provider account \S+(?: of \S+)? not found$/, 'Akun penyedia tidak ditemukan'],
  [/^.+ not found$/, 'Tidak ditemukan'],
  [/^the database cannot be reached; try again$/, 'Basis data tidak dapat dijangkau; coba lagi'],
  [/^what it needs is in use just now; try again$/, 'Data sedang dipakai proses lain; coba lagi'],
  [/^(?:.+; )?try again$/, 'Layanan sedang sibuk; coba lagi'],
  [/^nobody suspends itself$/, 'Anda tidak dapat menangguhkan tenant sendiri'],
  [/^API key \S+ is revoked$/, 'Kunci API ini sudah dicabut'],
  [/^API key \S+ was already rotated$/, 'Kunci API ini sudah pernah diganti'],
  [
    /^nothing has arrived of this payment; it can only be rejected$/,
    'Belum ada dana yang masuk untuk pembayaran ini; hanya dapat ditolak',
  ],
  [
    /^what arrived of this payment was given back to the payer$/,
    'Dana yang masuk untuk pembayaran ini sudah dikembalikan kepada pembayar',
  ],
  [
    /^invalid state transition: .+$/,
    'Status pembayaran sudah berubah, sehingga ini tidak dapat dilakukan lagi',
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
