// Translates the messages of the server and of its schemas, which are written for developers. Unknown messages are
// shown unchanged.

// Makes the schemas in forms produce the same messages as the service.
import '@gapura/server/input-rules'
import { formatsIn } from '../format/format.ts'
import { type Language, useLanguage } from './language.tsx'

/**
 * $1 is a captured value, and Rp$1 is captured cents as an amount. english: replaces a message that does not suit
 * users.
 */
const known: readonly (readonly [said: RegExp, indonesian: string, english?: string])[] = [
  [/^must not be empty$/, 'wajib diisi'],
  [/^must be at least (\d+) characters$/, 'minimal $1 karakter'],
  [/^must be at most (\d+) characters$/, 'maksimal $1 karakter'],
  [/^must be an e-mail address$/, 'harus berupa alamat email'],
  [/^must be an integer$/, 'harus berupa bilangan bulat'],
  [/^must be at most \d{12,}$/, 'terlalu besar', 'this is too much'],
  [/^must be at least (\d+)$/, 'minimal $1', 'must be at least $1'],
  [/^must be at most (\d+)$/, 'maksimal $1', 'must be at most $1'],
  [
    /^must be an integer from (\d+) to (\d+), or null to inherit$/,
    'harus berupa bilangan bulat dari $1 sampai $2, atau kosong',
    'must be a whole number from $1 to $2, or empty',
  ],
  [
    /^must be an IPv4 or IPv6 address, or a network in CIDR notation such as (\S+)$/,
    'harus berupa alamat IPv4 atau IPv6, atau jaringan dalam notasi CIDR seperti $1',
  ],
  [/^must be a UUID$/, 'harus berupa UUID'],
  [/^must be the UUID of a payment, or its payment code$/, 'harus berupa UUID atau kode pembayaran'],
  [/^must be a URL$/, 'harus berupa URL'],
  [/^must be a date\b.*$/, 'harus berupa tanggal', 'must be a date'],
  [/^must begin with (\S+)$/, 'harus diawali $1'],
  [/^must not carry a user name or password$/, 'tidak boleh memuat nama pengguna atau kata sandi'],
  [/^must not name a private or reserved address$/, 'tidak boleh berupa alamat privat atau khusus'],
  [/^must not name this machine$/, 'tidak boleh menunjuk ke mesin ini'],
  [/^must be one of .+$/, 'pilihan ini tidak tersedia', 'this is not one of the choices'],
  [
    /^must not be below min_amount$/,
    'tidak boleh di bawah batas bawahnya',
    'must not be below the lower bound',
  ],
  [
    /^must not be before from$/,
    'tanggal akhir tidak boleh sebelum tanggal awal',
    'the last day must not be before the first',
  ],
  [
    /^must be at most (\d+) days from from$/,
    'maksimal $1 hari dari tanggal awal',
    'must be at most $1 days after the first',
  ],
  [
    /^must be an http or https URL without user, query or fragment$/,
    'harus berupa URL http atau https tanpa pengguna, query, atau fragmen',
  ],
  [
    /^is needed; it is kept with the (record|payment)$/,
    'alasan wajib diisi; disimpan bersama catatannya',
    'a reason is needed; it is kept with the $1',
  ],
  [
    /^is no provider account that (?:you can grant|the tenant is entitled to)$/,
    'akun ini tidak dapat dipakai',
    'this account cannot be used here',
  ],
  [/^is in the list already$/, 'sudah ada dalam daftar', 'this is in the list already'],
  [/^(\S+) is not offered by ([^;]+)$/, '$1 tidak disediakan oleh $2'],
  [/^(\S+) is not offered by ([^;]+); it has (.+)$/, '$1 tidak disediakan oleh $2; yang tersedia: $3'],
  [
    /^must be all (\d+) cents, since none of it was credited$/,
    'harus seluruhnya, Rp$1, karena belum ada yang dikreditkan',
    'must be all of it, Rp$1, since none was credited',
  ],
  [/^is more than the (\d+) cents that arrived$/, 'hanya Rp$1 yang masuk', 'only Rp$1 arrived'],
  [
    /^(.+) takes whole rupiah only .+ for (.+)$/,
    '$1 hanya menerima rupiah bulat untuk $2',
    '$1 takes whole rupiah only for $2',
  ],
  [
    /^(.+) takes at least (\d+) cents for (.+)$/,
    '$1 menerima minimal Rp$2 untuk $3',
    '$1 takes at least Rp$2 for $3',
  ],
  [
    /^(.+) takes at most (\d+) cents for (.+)$/,
    '$1 menerima maksimal Rp$2 untuk $3',
    '$1 takes at most Rp$2 for $3',
  ],
  [
    /^(.+) takes at least (\d+) minutes for (.+)$/,
    '$1 menerima minimal $2 menit untuk $3',
    '$1 takes at least $2 minutes for $3',
  ],
  [
    /^(.+) takes at most (\d+) minutes for (.+)$/,
    '$1 menerima maksimal $2 menit untuk $3',
    '$1 takes at most $2 minutes for $3',
  ],
  [
    /^(.+) needs the payer's mobile number, .+ for (.+)$/,
    '$1 memerlukan nomor ponsel pembayar untuk $2',
    '$1 needs the payer’s mobile number for $2',
  ],
  [/^must be a (?:whole )?number$/, 'wajib berupa angka', 'must be a whole number'],
  [/^(?:is required|must be a string)$/, 'wajib diisi', 'must not be empty'],
  [/^must be greater than zero$/, 'isi jumlah lebih dari nol', 'enter an amount above zero'],
  [/^must hold at most (\d+) items$/, 'maksimal $1 baris'],
  [/^is wrong$/, 'kata sandi ini salah', 'this password is wrong'],
  [/^(\S+) is already in use$/, '$1 sudah dipakai'],
  [
    /^is not valid; it was used, has expired or never was\. Request another$/,
    'tidak berlaku: sudah dipakai, kedaluwarsa, atau tidak pernah ada. Minta yang baru',
    'this token is not valid: it was used, has expired or never was. Request another',
  ],
  [/^e-mail address or password is wrong$/, 'Alamat email atau kata sandi salah'],
  [/^this tenant is suspended$/, 'Tenant ini sedang ditangguhkan'],
  [
    /^too many failed log-ins; try again in 1 second$/,
    'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam 1 detik',
  ],
  [
    /^too many failed log-ins; try again in (\d+) seconds$/,
    'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam $1 detik',
  ],
  [
    /^too many failed log-ins; try again in (\d+) minutes$/,
    'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam $1 menit',
  ],
  [
    /^this (?:key|user) may send (\d+) requests a second; slow down$/,
    'Terlalu banyak permintaan; coba lagi sebentar',
    'Too many requests; try again in a moment',
  ],
  [
    /^a tenant of the role \w+ cannot call this; .+$/,
    'Ini bukan untuk peran Anda',
    'This is not for your role',
  ],
  [
    /^provider error \[(.+?)\]: .*repeat the request with .+$/s,
    '$1 belum menjawab. Coba lagi; pesanan yang sama tidak akan ditagih dua kali',
    '$1 has not answered. Try again; the same order is not charged twice',
  ],
  [/^provider error \[(.+?)\]: (?:refused: )?(.+)$/s, '$1 menolaknya: $2', '$1 refused it: $2'],
  [/^payment \S+ not found$/, 'Pembayaran tidak ditemukan', 'There is no such payment'],
  [/^tenant \S+ not found$/, 'Tenant tidak ditemukan', 'There is no such tenant'],
  [/^API key \S+ not found$/, 'Kunci API tidak ditemukan', 'There is no such API key'],
  [
    /^provider account \S+(?: of \S+)? not found$/,
    'Akun penyedia tidak ditemukan',
    'There is no such provider account',
  ],
  [/^.+ not found$/, 'Tidak ditemukan', 'There is no such thing'],
  [/^the database cannot be reached; try again$/, 'Basis data tidak dapat dijangkau; coba lagi'],
  [/^what it needs is in use just now; try again$/, 'Data sedang dipakai proses lain; coba lagi'],
  [/^(?:.+; )?try again$/, 'Layanan sedang sibuk; coba lagi'],
  [
    /^nobody suspends itself$/,
    'Anda tidak dapat menangguhkan tenant sendiri',
    'You cannot suspend your own tenant',
  ],
  [/^API key \S+ is revoked$/, 'Kunci API ini sudah dicabut', 'This API key is revoked'],
  [
    /^API key \S+ was already rotated$/,
    'Kunci API ini sudah pernah diganti',
    'This API key was rotated before',
  ],
  [
    /^the provider does not confirm that the money arrived; .+$/,
    'Penyedia tidak memastikan bahwa dana sudah masuk; Anda dapat mengkreditkannya tanpa kepastian',
    'The provider does not confirm that the money arrived; you can credit it without confirmation',
  ],
  [
    /^the provider did not answer; .+$/,
    'Penyedia tidak menjawab; coba lagi, atau kreditkan tanpa kepastian',
    'The provider did not answer; try again, or credit it without confirmation',
  ],
  [
    /^payment \S+ is \w+, so nothing was credited that could be debited; .+$/,
    'Pembayaran ini belum lunas, sehingga tidak ada yang dapat didebit',
    'The payment is not paid, so nothing can be debited',
  ],
  [
    /^the provider reports that this went back to the payer; .+$/,
    'Dana ini sudah kembali kepada pembayar di penyedia; terima atau abaikan',
    'This went back to the payer at the provider; accept it or dismiss it',
  ],
  [
    /^what arrived of this payment was given back to the payer$/,
    'Dana yang masuk untuk pembayaran ini sudah dikembalikan kepada pembayar',
  ],
  [
    /^it is not known which payment this money is for; .+$/,
    'Pembayaran untuk dana ini tidak diketahui; tetapkan ke sebuah pembayaran lebih dahulu',
  ],
  [
    /^it was \w+ (?:just now|at \S+): (.*)$/s,
    'Sudah ada yang memutuskannya: $1',
    'Somebody has decided on it already: $1',
  ],
  [
    /^the provider has taken (?:this back already|back what paid this payment); .+$/,
    'Penyedia sudah menarik kembali dana ini',
    'The provider has taken this back already',
  ],
  [
    /^it is (?:live|test) money, the payment is one of (?:live|test) mode$/,
    'Dana dan pembayaran ini berbeda mode',
    'The money is of one mode, the payment of the other',
  ],
  [
    /^event \S+ is being delivered; .+$/,
    'Webhook ini sedang dikirim; tunggu sampai percobaannya selesai',
    'This webhook is being delivered; wait for its attempts to end',
  ],
  [
    /^there is no callback URL; .+$/,
    'Belum ada URL callback; isi lebih dahulu',
    'There is no callback URL; set one first',
  ],
  [
    /^invalid state transition: .+$/,
    'Status pembayaran sudah berubah, sehingga ini tidak dapat dilakukan lagi',
    'The payment’s status has changed, so this can no longer be done',
  ],
]

/** Translates a message and capitalizes its first word. said: a whole sentence or the part after a prefix. */
export function complaintIn(language: Language, said: string): string {
  for (const [pattern, indonesian, english] of known) {
    const match = pattern.exec(said)
    if (match) return begun(filled(language, (language === 'id' ? indonesian : english) ?? said, match))
  }
  return begun(said)
}

function filled(language: Language, shown: string, match: RegExpExecArray): string {
  const { money, count } = formatsIn(language)
  return shown.replace(/(Rp)?\$(\d)/g, (_, isSum?: string, number?: string) => {
    const part = match[Number(number)] ?? ''
    if (isSum) return money(Number(part))
    return /^\d+$/.test(part) ? count(Number(part)) : part
  })
}

/** Capitalizes the first word. A leading URL or identifier is not changed. */
const begun = (text: string): string =>
  text.replace(/^[a-z][a-z-]*(?=[\s,;:]|$)/, ([first = '', ...rest]) => first.toUpperCase() + rest.join(''))

export function useComplaint(): (said: string) => string {
  const [language] = useLanguage()
  return said => complaintIn(language, said)
}
