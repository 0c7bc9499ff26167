import type { FaultTexts } from './fault-catalogue.ts'

const busy = 'Layanan sedang sibuk. Coba lagi sebentar lagi'

const types: Record<string, string> = { string: 'wajib diisi', array: 'harus berupa daftar' }
const formats: Record<string, string> = {
  email: 'harus berupa alamat email',
  uuid: 'harus berupa UUID',
  url: 'harus berupa URL',
  date: 'harus berupa tanggal',
  datetime: 'harus berupa tanggal dan waktu',
}

/** Formats a duration. Up to two minutes are shown in seconds. */
const duration = (seconds: number): string =>
  seconds < 120 ? `${seconds} detik` : `${Math.ceil(seconds / 60)} menit`
const reason = (text: string): string => text.replace(/^refused: /, '')

export const faultTexts: FaultTexts = {
  // Errors of authentication and permissions.
  credential_missing: 'Silakan masuk terlebih dahulu',
  scheme_unknown: 'Silakan masuk terlebih dahulu',
  api_key_required: 'Tindakan ini memerlukan kunci API',
  access_token_required: 'Silakan masuk terlebih dahulu',
  api_key_invalid: 'Kunci API ini tidak berlaku atau sudah dicabut',
  access_token_invalid: 'Sesi Anda telah berakhir. Silakan masuk lagi',
  login_failed: 'Alamat email atau kata sandi salah',
  refresh_token_invalid: 'Sesi Anda telah berakhir. Silakan masuk lagi',
  tenant_suspended: 'Tenant ini sedang ditangguhkan',
  role_not_allowed: 'Ini bukan untuk peran Anda',
  session_key_limited: 'Tindakan ini hanya dapat dilakukan dengan kunci API Anda sendiri',
  session_of_another_site: 'Halaman ini tidak boleh memakai sesi Anda',
  mode_of_other_key: 'Kunci API ini untuk mode yang lain',
  live_key_cannot_listen: 'Tindakan ini hanya dapat dilakukan dengan kunci uji',
  reconciliation_for_owner: 'Hanya Owner yang dapat menanyai penyedia',
  login_delayed: ({ seconds }) =>
    `Terlalu banyak percobaan masuk yang gagal; coba lagi dalam ${duration(seconds)}`,
  key_guesses_exceeded:
    'Terlalu banyak kunci API yang tidak berlaku dari alamat IP Anda. Coba lagi sebentar lagi',
  rate_exceeded: 'Terlalu banyak permintaan; coba lagi sebentar lagi',

  // Errors about tenants, users, keys and provider accounts.
  partner_creates_clients_only: 'Partner hanya dapat membuat Client',
  partner_tier_exceeded: ({ tier }) =>
    `Tier tertinggi yang dapat Anda berikan adalah tier Anda sendiri, ${tier}`,
  partner_creates_below_itself: 'Partner hanya dapat membuat Client miliknya sendiri',
  owner_created_on_server: 'Owner hanya dapat dibuat di server',
  tenant_managed_by_owner: 'Hanya Owner yang mengelola tenant ini',
  tier_set_by_owner: 'hanya Owner yang dapat mengubah tier',
  parent_not_partner: 'harus berupa Partner',
  parent_not_allowed: 'hanya Client yang dapat berada di bawah Partner',
  password_wrong: 'kata sandi ini salah',
  reset_token_invalid: 'token ini sudah dipakai, kedaluwarsa, atau tidak pernah ada. Minta yang baru',
  previous_credentials_without_new: 'hanya dapat diisi bersama kredensial baru',
  provider_unknown: 'pilihan ini tidak tersedia',
  repeated_account: 'sudah ada dalam daftar',
  account_not_grantable: 'akun ini tidak dapat dipakai',
  account_not_entitled: 'akun ini tidak dapat dipakai',
  method_not_offered: ({ method, provider }) => `${method} tidak disediakan oleh ${provider}`,
  channel_not_offered: ({ channel, provider, offered }) =>
    `${channel} tidak disediakan oleh ${provider}; yang tersedia: ${offered.join(', ')}`,
  url_malformed: 'harus berupa URL',
  url_not_https: 'harus diawali https://',
  url_names_private_address: 'tidak boleh berupa alamat privat atau khusus',
  url_names_this_machine: 'tidak boleh menunjuk ke server ini sendiri',
  own_tenant_suspended: 'Anda tidak dapat menangguhkan tenant sendiri',
  last_active_tenant: ({ role }) => `${role} aktif yang terakhir tidak dapat ditangguhkan`,
  email_in_use: ({ email }) => `${email} sudah dipakai`,
  api_key_revoked: 'Kunci API ini sudah dicabut',
  api_key_rotated: 'Kunci API ini sudah pernah diganti',
  event_being_delivered: 'Webhook ini sedang dikirim; tunggu sampai percobaannya selesai',
  callback_url_missing: 'Belum ada URL callback; isi lebih dahulu',
  too_many_webhook_secrets: ({ most, until }, { time }) =>
    `${most} rahasia lama masih berlaku. Tunggu sampai ${time(until)}, atau cabut rahasia lama`,

  // Errors about the service's capacity.
  own_requests_in_flight: 'Terlalu banyak permintaan; coba lagi sebentar lagi',
  own_work_at_capacity: ({ most }) =>
    `Hanya ${most} proses yang dapat berjalan bersamaan. Tunggu sampai salah satunya selesai`,
  own_charges_at_capacity: 'Terlalu banyak pembayaran Anda yang menunggu penyedia. Coba lagi sebentar lagi',
  own_reads_at_capacity: 'Terlalu banyak permintaan besar; coba lagi sebentar lagi',
  responses_not_received: 'Terlalu banyak data yang masih dimuat. Coba lagi sebentar lagi',
  server_at_capacity: busy,
  work_at_capacity: busy,
  passwords_at_capacity: busy,
  charges_at_capacity: busy,
  database_slow: busy,
  database_busy: 'Data ini sedang diubah oleh proses lain. Coba lagi',
  database_unreachable: 'Basis data tidak dapat dijangkau. Coba lagi',
  storage_full: 'Penyimpanan layanan penuh. Coba lagi nanti',
  database_out_of_memory: busy,
  database_limit_reached: busy,
  balance_busy: 'Saldo sedang diubah oleh pembayaran lain. Coba lagi',
  unexpected: 'Terjadi kesalahan pada layanan. Coba lagi nanti',

  // Errors about payments and money.
  whole_rupiah_only: ({ provider, channel }) => `${provider} hanya menerima rupiah bulat untuk ${channel}`,
  channel_amount_too_small: ({ provider, channel, min }, { money }) =>
    `${provider} menerima minimal ${money(min)} untuk ${channel}`,
  channel_amount_too_large: ({ provider, channel, max }, { money }) =>
    `${provider} menerima maksimal ${money(max)} untuk ${channel}`,
  channel_expiry_too_short: ({ provider, channel, min }, { count }) =>
    `${provider} menerima minimal ${count(min)} menit untuk ${channel}`,
  channel_expiry_too_long: ({ provider, channel, max }, { count }) =>
    `${provider} menerima maksimal ${count(max)} menit untuk ${channel}`,
  mobile_number_needed: ({ provider, channel }) =>
    `${provider} memerlukan nomor ponsel pembayar untuk ${channel}`,
  channel_not_enabled: ({ channel }) => `${channel} belum diaktifkan`,
  return_url_not_https: 'harus diawali https:// untuk pembayaran live',
  period_ends_before_start: 'tanggal akhir tidak boleh sebelum tanggal awal',
  period_too_long: ({ days }) => `maksimal ${days} hari dari tanggal awal`,
  period_sum_too_large: 'Jumlah dalam periode ini terlalu besar. Pilih hari yang lebih sedikit',
  report_too_long: 'Laporan ini terlalu panjang. Pilih hari yang lebih sedikit',
  date_in_future: 'tidak boleh di masa depan',
  amount_of_payment: 'hanya dapat diisi untuk pengembalian dana atau chargeback',
  amount_reported: ({ amount }, { money }) => `penyedia melaporkan ${money(amount)}`,
  amount_not_reported: 'isi jumlahnya: penyedia tidak melaporkannya',
  refund_exceeds_received: ({ received }, { money }) => `hanya ${money(received)} yang masuk`,
  refund_not_whole: ({ received }, { money }) =>
    `harus seluruhnya, ${money(received)}, karena belum ada yang dikreditkan`,
  idempotency_key_reused: 'Pesanan ini sudah dikirim dengan isi yang berbeda. Mulai lagi dari awal',
  idempotency_key_in_progress: 'Pesanan ini masih diproses. Coba lagi sebentar lagi',
  transition_refused: 'Status pembayaran sudah berubah, sehingga ini tidak dapat dilakukan lagi',
  payment_not_confirmed:
    'Penyedia tidak memastikan bahwa dana sudah masuk; Anda dapat mengkreditkannya tanpa kepastian',
  provider_silent: 'Penyedia tidak menjawab; coba lagi, atau kreditkan tanpa kepastian',
  received_was_refunded: 'Dana yang masuk untuk pembayaran ini sudah dikembalikan kepada pembayar',
  outcome_known: 'Hasil pembayaran ini sudah diketahui',
  payment_not_paid: 'Pembayaran ini belum lunas, sehingga tidak ada yang dapat didebit',
  money_assigned: 'Dana ini sudah menjadi milik sebuah pembayaran; terima atau kembalikan',
  money_of_other_mode: 'Dana dan pembayaran ini berbeda mode',
  money_unassigned: 'Pembayaran untuk dana ini tidak diketahui; tetapkan ke sebuah pembayaran lebih dahulu',
  money_not_dismissible: 'Hanya pengembalian dana atau chargeback yang dapat diabaikan',
  money_reversed: 'Penyedia sudah menarik kembali dana ini',
  money_returned: 'Dana ini sudah kembali kepada pembayar di penyedia; terima atau abaikan',
  payment_reversed: 'Penyedia sudah menarik kembali dana ini',
  money_decided: ({ reason }) => `Pengguna lain sudah memutuskannya: ${reason}`,
  difference_closed: ({ reason }) => `Ini sudah ditutup${reason ? `: ${reason}` : ''}`,
  balance_full: 'Saldo sudah mencapai batas maksimum. Coba lagi setelah saldo berkurang',
  provider_refused: failure => `${failure.provider} menolaknya: ${reason(failure.reason)}`,
  provider_outcome_unknown: ({ provider }) =>
    `${provider} belum menjawab. Coba lagi; pesanan yang sama tidak akan ditagih dua kali`,
  provider_created_nothing: ({ provider }) =>
    `${provider} belum menjawab. Coba lagi; pesanan yang sama tidak akan ditagih dua kali`,
  provider_failed: failure => `${failure.provider} menolaknya: ${reason(failure.reason)}`,

  // Errors about items that were not found.
  payment_not_found: 'Pembayaran tidak ditemukan',
  tenant_not_found: 'Tenant tidak ditemukan',
  api_key_not_found: 'Kunci API tidak ditemukan',
  provider_not_found: 'Penyedia tidak ditemukan',
  provider_account_not_found: 'Akun penyedia tidak ditemukan',
  api_request_not_found: 'Permintaan tidak ditemukan',
  webhook_event_not_found: 'Webhook tidak ditemukan',
  provider_callback_not_found: 'Callback tidak ditemukan',
  unexpected_money_not_found: 'Catatan dana tidak ditemukan',
  difference_not_found: 'Selisih tidak ditemukan',
  ledger_not_sealed: 'Entri belum disegel. Proses ini memerlukan sekitar sepuluh menit',

  // Errors about single fields.
  required: 'wajib diisi',
  type_wrong: ({ type }) => types[type] ?? 'harus berupa bilangan bulat',
  format_wrong: ({ format }) => formats[format] ?? 'memuat karakter yang tidak diperbolehkan',
  empty: 'wajib diisi',
  characters_too_few: ({ min }) => `minimal ${min} karakter`,
  characters_too_many: ({ max }) => `maksimal ${max} karakter`,
  characters_not_exact: ({ exact }) => `harus tepat ${exact} karakter`,
  items_too_few: ({ min }) => `minimal ${min} baris`,
  items_too_many: ({ max }) => `maksimal ${max} baris`,
  items_not_exact: ({ exact }) => `harus tepat ${exact} baris`,
  number_too_small: ({ min }, { count }) => `minimal ${count(min)}`,
  number_too_large: ({ max }, { count }) => (max >= 1e11 ? 'terlalu besar' : `maksimal ${count(max)}`),
  number_not_above: ({ min }, { count }) => `harus lebih dari ${count(min)}`,
  number_not_below: ({ max }, { count }) => `harus kurang dari ${count(max)}`,
  not_multiple: ({ of }, { count }) => `harus kelipatan ${count(of)}`,
  value_wrong: 'pilihan ini tidak tersedia',
  value_not_listed: 'pilihan ini tidak tersedia',
  fields_unknown: ({ fields }) => `memuat kolom yang tidak dikenal: ${fields.join(', ')}`,
  name_not_allowed: 'memuat nama yang tidak diperbolehkan',
  form_not_allowed: 'nilai ini tidak diperbolehkan',
  text_malformed: 'memuat karakter yang tidak diperbolehkan',
  moment_malformed: 'harus berupa tanggal',
  amount_not_positive: 'isi jumlah lebih dari nol',
  currency_unsupported: 'hanya rupiah yang didukung',
  channel_needed: 'pilihan ini tidak tersedia',
  method_mismatched: 'pilihan ini tidak tersedia',
  whole_number_out_of_range: ({ min, max }, { count }) =>
    max >= 1e11
      ? `harus berupa bilangan bulat, minimal ${count(min)}`
      : `harus berupa bilangan bulat dari ${count(min)} sampai ${count(max)}`,
  limit_out_of_range: ({ min, max }, { count }) =>
    `harus berupa bilangan bulat dari ${count(min)} sampai ${count(max)}, atau kosong`,
  max_below_min: 'tidak boleh di bawah batas bawahnya',
  reason_needed: 'alasan wajib diisi; disimpan bersama catatannya',
  payment_id_malformed: 'harus berupa UUID atau kode pembayaran',
  network_malformed: ({ example }) =>
    `harus berupa alamat IPv4 atau IPv6, atau jaringan dalam notasi CIDR seperti ${example}`,
  url_not_plain: 'harus berupa URL http atau https tanpa pengguna, query, atau fragmen',
  url_with_credentials: 'tidak boleh memuat nama pengguna atau kata sandi',
  return_url_malformed: 'harus berupa URL',
  return_url_insecure: 'harus diawali https://',
  groups_unknown: 'pilihan ini tidak tersedia',
  cursor_stale: 'Daftar ini sudah berubah. Muat ulang daftar',
  digits_expected: ({ min, max }) => `harus ${min === max ? min : `${min} sampai ${max}`} angka`,
  letters_and_digits_expected: 'harus berupa huruf dan angka',
  terminal_id_malformed: ({ min, max }) => `harus ${min} sampai ${max} huruf dan angka`,
  rsa_key_expected: ({ form }) => `harus berupa kunci RSA, ${form}`,
  fields_needed_together: ({ fields }) => `isi semuanya: ${fields.join(', ')}`,
  input_invalid: ({ what }) => what,
}
