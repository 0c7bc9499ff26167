import type { FaultTexts } from './fault-catalogue.ts'

const busy = 'Layanan sedang sibuk. Coba lagi beberapa saat lagi'
const tooMany = 'Terlalu banyak permintaan. Coba lagi beberapa saat lagi'

const types: Record<string, string> = { string: 'wajib diisi', array: 'harus berupa daftar' }
const formats: Record<string, string> = {
  email: 'harus berupa alamat email',
  guid: 'harus berupa UUID',
  uuid: 'harus berupa UUID',
  url: 'harus berupa URL',
  date: 'harus berupa tanggal',
  datetime: 'harus berupa tanggal dan waktu',
  month: 'harus berupa bulan',
}

/** Formats a duration. A duration of less than two minutes is shown in seconds. */
const duration = (seconds: number): string =>
  seconds < 120 ? `${seconds} detik` : `${Math.ceil(seconds / 60)} menit`
const reason = (text: string): string => text.replace(/^refused: /, '')

export const faultTexts: FaultTexts = {
  // Errors of authentication and permissions.
  otp_required: 'Konfirmasi login dengan faktor kedua Anda',
  second_factor_stale: 'Konfirmasi faktor kedua Anda, lalu coba lagi',
  credential_missing: 'Silakan masuk terlebih dahulu',
  scheme_unknown: 'Silakan masuk terlebih dahulu',
  api_key_required: 'Tindakan ini memerlukan kunci API',
  access_token_required: 'Silakan masuk terlebih dahulu',
  api_key_invalid: 'Kunci API ini tidak berlaku atau sudah dicabut',
  access_token_invalid: 'Sesi Anda telah berakhir. Silakan masuk lagi',
  login_challenge_invalid: 'Login ini kedaluwarsa. Masuk lagi',
  login_code_wrong: 'Kode salah atau sudah dipakai',
  login_failed: 'Alamat email atau kata sandi salah',
  refresh_token_invalid: 'Sesi Anda telah berakhir. Silakan masuk lagi',
  tenant_suspended: 'Tenant ini sedang ditangguhkan',
  role_not_allowed: 'Peran Anda tidak mengizinkan tindakan ini',
  permission_missing: ({ needed }) =>
    `Anda memerlukan izin ${needed.join(' atau ')}. Mintalah kepada admin tim Anda`,
  second_factor_needed: 'Tim Anda mewajibkan faktor kedua. Tambahkan di halaman Keamanan',
  scope_missing: ({ needed }) => `Kunci API ini memerlukan cakupan ${needed.join(' atau ')}`,
  scope_not_grantable: ({ scope, isUnrestricted, needed }) =>
    `${isUnrestricted ? `Kunci tanpa cakupan memiliki cakupan ${scope}. Anda memerlukan` : `Untuk cakupan ${scope}, Anda memerlukan`} izin ${needed.join(' atau ')}. Mintalah kepada admin tim Anda`,
  address_not_allowed: ({ address }) => `Kunci API ini tidak dapat dipakai dari alamat ${address}`,
  session_key_limited: 'Tindakan ini memerlukan kunci API yang Anda buat sendiri',
  session_of_another_site: 'Situs ini tidak dapat memakai sesi Anda',
  mode_of_other_key: 'Kunci API ini dibuat untuk mode lain',
  live_key_cannot_listen: 'Tindakan ini memerlukan kunci uji coba',
  reconciliation_for_owner: 'Hanya Pemilik yang dapat meminta data dari penyedia',
  login_delayed: ({ seconds }) =>
    `Terlalu banyak percobaan masuk yang gagal. Coba lagi dalam ${duration(seconds)}`,
  invitations_exceeded: ({ most, seconds }) =>
    `${most} undangan sudah dikirim ke alamat email ini. Coba lagi dalam ${duration(seconds)}`,
  tenant_invitations_exceeded: ({ most, seconds }) =>
    `Tenant Anda sudah mengirim ${most} undangan dalam 30 menit terakhir. Coba lagi dalam ${duration(seconds)}`,
  partner_invitations_exceeded: ({ most, seconds }) =>
    `Mitra dan semua Kliennya sudah mengirim ${most} undangan dalam 30 menit terakhir. Coba lagi dalam ${duration(seconds)}`,
  key_guesses_exceeded:
    'Terlalu banyak kunci API yang tidak berlaku dari alamat IP Anda. Coba lagi beberapa saat lagi',
  rate_exceeded: tooMany,

  // Errors about tenants, users, keys and provider accounts.
  partner_creates_clients_only: 'Mitra hanya dapat membuat Klien',
  partner_tier_exceeded: ({ tier }) => `Paket tidak boleh lebih tinggi dari paket Anda sendiri, ${tier}`,
  partner_creates_below_itself: 'Mitra hanya dapat membuat Klien untuk dirinya sendiri',
  owner_created_on_server: 'Pemilik hanya dapat dibuat di server',
  tenant_managed_by_owner: 'Hanya Pemilik yang dapat mengelola tenant ini',
  tenant_suspended_by_owner:
    'Tenant ini ditangguhkan oleh Pemilik. Minta operator layanan untuk mengaktifkannya kembali',
  tier_set_by_owner: 'hanya Pemilik yang dapat mengubah paket',
  parent_not_partner: 'harus berupa Mitra',
  parent_not_allowed: 'hanya Klien yang dapat berada di bawah Mitra',
  password_wrong: 'kata sandi salah',
  reset_token_invalid: 'token ini tidak valid, sudah kedaluwarsa, atau sudah dipakai. Minta token baru',
  code_wrong: 'kode salah atau sudah dipakai',
  passkey_rejected: 'Kunci sandi tidak diterima. Coba lagi',
  invitation_invalid: 'undangan ini tidak valid, kedaluwarsa, atau sudah dipakai. Mintalah undangan baru',
  previous_credentials_without_new: 'hanya dapat diisi bersama kredensial baru',
  notification_not_received: 'Pengguna dengan peran dan izin seperti Anda tidak menerima email ini',
  provider_unknown: 'pilih salah satu opsi yang tersedia',
  repeated_account: 'akun ini sudah ada dalam daftar',
  account_not_grantable: 'Anda tidak dapat memberikan akses ke akun ini',
  account_not_entitled: 'tenant tidak memiliki akses ke akun ini',
  method_not_offered: ({ method, provider }) => `${provider} tidak menyediakan ${method}`,
  channel_not_offered: ({ channel, provider, offered }) =>
    `${provider} tidak menyediakan ${channel}; yang tersedia: ${offered.join(', ')}`,
  url_malformed: 'harus berupa URL',
  url_not_https: 'harus diawali https://',
  url_names_private_address: 'tidak boleh berupa alamat privat atau alamat khusus',
  url_names_this_machine: 'tidak boleh menunjuk ke server layanan ini',
  own_tenant_suspended: 'Anda tidak dapat menangguhkan tenant sendiri',
  last_active_tenant: ({ role }) => `${role} aktif yang terakhir tidak dapat ditangguhkan`,
  totp_enabled: 'Aplikasi autentikator sudah aktif',
  totp_not_started: 'Pengaturan ini kedaluwarsa. Mulai lagi',
  totp_not_enabled: 'Aplikasi autentikator tidak aktif',
  second_factor_kept: 'Faktor kedua yang terakhir tidak dapat dihapus, karena tim Anda mewajibkannya',
  second_factor_missing: 'Tambahkan faktor kedua untuk Anda sendiri lebih dahulu',
  last_admin: 'Tim memerlukan setidaknya satu admin aktif. Jadikan pengguna lain admin lebih dahulu',
  user_not_active: 'Pengguna yang belum menerima undangan tidak dapat dinonaktifkan. Hapus saja pengguna ini',
  user_not_invited: 'Pengguna ini sudah menerima undangan',
  email_in_use: ({ email }) => `${email} sudah dipakai`,
  api_key_revoked: 'Kunci API ini sudah dicabut',
  api_key_rotated: 'Kunci API ini sudah pernah diganti',
  event_being_delivered: 'Webhook ini masih dikirim. Tunggu sampai percobaannya selesai',
  callback_url_missing: 'URL callback belum diatur. Atur URL callback terlebih dahulu',
  webhook_url_in_use: 'sudah menjadi URL endpoint lain dalam mode ini',
  too_many_webhook_endpoints: ({ most }) =>
    `Sudah ada ${most} endpoint webhook. Hapus salah satu terlebih dahulu`,
  webhook_endpoint_disabled: 'Endpoint webhook ini nonaktif. Aktifkan terlebih dahulu',
  previous_secret_active: ({ until }, { time }) =>
    `Kunci rahasia webhook sebelumnya masih dipakai. Tunggu sampai ${time(until)}, atau cabut kunci rahasia sebelumnya`,
  too_many_webhook_secrets: ({ most, until }, { time }) =>
    `${most} kunci rahasia sebelumnya masih menandatangani webhook. Tunggu sampai ${time(until)}, atau cabut kunci rahasia sebelumnya`,

  // Errors about the service's capacity.
  own_requests_in_flight: 'Terlalu banyak permintaan. Coba lagi beberapa saat lagi',
  own_work_at_capacity: ({ most }) =>
    `Hanya ${most} proses yang dapat berjalan bersamaan. Tunggu sampai salah satunya selesai`,
  own_queue_at_capacity: tooMany,
  own_charges_at_capacity:
    'Terlalu banyak pembayaran Anda yang menunggu penyedia. Coba lagi beberapa saat lagi',
  key_repeats_at_capacity: 'Pesanan ini masih diproses. Coba lagi beberapa saat lagi',
  own_repeats_at_capacity: 'Terlalu banyak pesanan Anda yang masih diproses. Coba lagi beberapa saat lagi',
  own_reads_at_capacity:
    'Terlalu banyak permintaan Anda untuk respons besar yang menunggu. Coba lagi beberapa saat lagi',
  responses_not_received: 'Terlalu banyak respons yang masih dimuat. Coba lagi beberapa saat lagi',
  server_at_capacity: busy,
  work_at_capacity: busy,
  passwords_at_capacity: busy,
  charges_at_capacity: busy,
  repeats_at_capacity: busy,
  responses_at_capacity: busy,
  database_slow: busy,
  database_busy: 'Permintaan lain sedang mengubah data ini. Coba lagi',
  database_unreachable: 'Layanan tidak dapat menjangkau basis datanya. Coba lagi',
  data_damaged:
    'Ada data tersimpan yang rusak dan tidak dapat dibaca sampai operator memperbaiki basis data. Coba lagi nanti',
  storage_full: 'Penyimpanan layanan penuh. Coba lagi nanti',
  database_out_of_memory: busy,
  database_limit_reached: busy,
  balance_busy: 'Pembayaran lain sedang mengubah saldo. Coba lagi',
  unexpected: 'Terjadi kesalahan pada layanan. Coba lagi nanti',

  // Errors about payments and money.
  whole_rupiah_only: ({ provider, channel }) => `${provider} hanya menerima rupiah bulat untuk ${channel}`,
  channel_amount_too_small: ({ provider, channel, min }, { money }) =>
    `${provider} menerima minimal ${money(min)} untuk ${channel}`,
  channel_amount_too_large: ({ provider, channel, max }, { money }) =>
    `${provider} menerima maksimal ${money(max)} untuk ${channel}`,
  channel_expiry_too_short: ({ provider, channel, min }, { count }) =>
    `${provider} mewajibkan batas waktu bayar minimal ${count(min)} menit untuk ${channel}`,
  channel_expiry_too_long: ({ provider, channel, max }, { count }) =>
    `${provider} mengizinkan batas waktu bayar maksimal ${count(max)} menit untuk ${channel}`,
  mobile_number_needed: ({ provider, channel }) =>
    `${provider} memerlukan nomor ponsel pembayar untuk ${channel}`,
  channel_not_enabled: ({ channel }) => `${channel} belum diaktifkan`,
  fee_rule_repeated: 'ada aturan lain dengan metode dan kanal yang sama',
  channel_unknown: ({ channel, offered }) =>
    `tidak ada penyedia yang menyediakan ${channel}; yang tersedia: ${offered.join(', ')}`,
  fee_below_cost: ({ amount, cost }, { money }) =>
    `biaya untuk pembayaran ${money(amount)} lebih rendah dari biaya Anda sebesar ${money(cost)}`,
  return_url_not_https: 'harus diawali https:// untuk pembayaran live',
  period_ends_before_start: 'tanggal akhir tidak boleh sebelum tanggal awal',
  period_too_long: ({ days }) => `maksimal ${days} hari dari tanggal awal`,
  period_sum_too_large: 'Jumlah dalam periode ini terlalu besar. Pilih periode yang lebih pendek',
  book_total_too_large:
    'Salah satu total terlalu besar untuk ditampilkan secara tepat. Jalankan kueri di basis data',
  report_too_long: 'Laporan ini terlalu panjang. Pilih periode yang lebih pendek',
  date_in_future: 'tanggal tidak boleh di masa depan',
  amount_of_payment: 'hanya dapat diisi untuk pengembalian dana atau chargeback',
  amount_reported: ({ amount }, { money }) => `harus ${money(amount)}, sesuai laporan penyedia`,
  amount_not_reported: 'isi jumlahnya, karena penyedia tidak melaporkannya',
  refund_exceeds_received: ({ received }, { money }) => `hanya ${money(received)} yang diterima`,
  refund_not_whole: ({ received }, { money }) =>
    `harus seluruh jumlah, ${money(received)}, karena dana ini tidak dikreditkan`,
  idempotency_key_reused: 'Permintaan ini sudah dikirim dengan isi yang berbeda. Mulai lagi dari awal',
  idempotency_key_in_progress: 'Permintaan ini masih diproses. Coba lagi beberapa saat lagi',
  transition_refused: 'Status pembayaran tidak mengizinkan tindakan ini',
  payment_not_confirmed:
    'Penyedia tidak mengonfirmasi bahwa dana sudah diterima. Anda dapat mengkreditkan pembayaran tanpa konfirmasi',
  provider_silent: 'Penyedia tidak merespons. Coba lagi, atau kreditkan pembayaran tanpa konfirmasi',
  payment_paid_meanwhile:
    'Pembayaran ini baru saja lunas, dan kreditnya mungkin sudah mencakup dana ini. Bandingkan catatan ini dengan laporan penyedia, lalu terima lagi atau kembalikan dananya',
  received_was_refunded: 'Dana yang diterima untuk pembayaran ini sudah dikembalikan kepada pembayar',
  outcome_known: 'Hasil pembayaran ini sudah diketahui',
  payment_not_paid: 'Pembayaran ini belum lunas, sehingga tidak ada yang dapat didebit',
  money_assigned: 'Dana ini sudah termasuk dalam sebuah pembayaran. Terima atau kembalikan dana ini',
  money_of_other_mode: 'Mode dana ini dan mode pembayaran berbeda (live dan uji coba)',
  money_unassigned:
    'Dana ini belum termasuk dalam pembayaran mana pun. Tetapkan dana ini ke sebuah pembayaran terlebih dahulu',
  money_not_dismissible:
    'Hanya pengembalian dana, chargeback, atau dana yang belum dikonfirmasi yang dapat diabaikan',
  money_reversed: 'Penyedia sudah menarik kembali dana ini',
  money_returned:
    'Penyedia sudah mengembalikan dana ini kepada pembayar. Terima atau abaikan pengembalian dana ini',
  money_unconfirmed: 'Penyedia belum mengonfirmasi dana ini. Terima atau abaikan dana ini',
  payment_reversed: 'Penyedia sudah menarik kembali dana ini',
  money_decided: ({ reason }) => `Pengguna lain sudah mengambil keputusan: ${reason}`,
  difference_closed: ({ reason }) => `Selisih ini sudah ditutup${reason ? `: ${reason}` : ''}`,
  balance_full: 'Saldo sudah mencapai batas maksimum. Coba lagi setelah saldo berkurang',
  provider_refused: failure => `${failure.provider} menolak pembayaran: ${reason(failure.reason)}`,
  provider_outcome_unknown: ({ provider }) =>
    `${provider} tidak merespons. Coba lagi: pesanan yang sama tidak akan ditagih dua kali`,
  provider_created_nothing: ({ provider }) =>
    `${provider} tidak merespons. Coba lagi: pesanan yang sama tidak akan ditagih dua kali`,
  provider_failed: failure => `${failure.provider} menolak permintaan: ${reason(failure.reason)}`,

  // Errors about refunds.
  refund_exceeds_left: ({ left }, { money }) =>
    left === 0
      ? 'tidak ada lagi yang dapat dikembalikan'
      : `sisa yang dapat dikembalikan paling banyak ${money(left)}`,
  refund_fraction: 'Isi jumlah dalam rupiah bulat, atau seluruh sisa yang dapat dikembalikan',
  refund_full_only: ({ provider, channel, amount }, { money }) =>
    `${provider} hanya mengembalikan ${channel} secara penuh: ${money(amount)}. Untuk jumlah lain, isi rekening bank pembayar`,
  refunds_too_many: ({ provider, channel, max }) =>
    `${provider} mengizinkan paling banyak ${max} pengembalian untuk satu pembayaran ${channel}. Isi rekening bank pembayar`,
  refunds_of_payment_exceeded: ({ max }) =>
    `Satu pembayaran paling banyak dapat dikembalikan ${max} kali, termasuk yang gagal. Kembalikan sisa uangnya sendiri`,
  refund_too_late: ({ provider, channel, days }) =>
    `${provider} hanya mengembalikan ${channel} dalam ${days} hari setelah pembayaran. Isi rekening bank pembayar`,
  refund_outside_hours: ({ provider, channel, from, to }) =>
    `${provider} hanya mengembalikan ${channel} antara ${from} dan ${to} WIB. Coba lagi nanti`,
  refund_too_small: ({ provider, channel, min }, { money }) =>
    `${provider} mengembalikan paling sedikit ${money(min)} untuk ${channel}`,
  bank_account_needed: ({ provider, channel }) =>
    `wajib diisi: ${provider} tidak dapat mengembalikan ${channel}, sehingga operator mentransfer dananya`,
  bank_account_for_assigned_money: ({ provider }) =>
    `wajib diisi: ${provider} menerima dana ini dengan nomor referensi pesanan lain, sehingga operator mentransfer dananya`,
  bank_account_not_needed: ({ provider, channel }) =>
    `tidak diperlukan: ${provider} mengembalikan ${channel}`,
  bank_account_without_payment:
    'tidak diperlukan, karena pembayaran untuk dana ini tidak diketahui. Kembalikan sendiri dana ini',
  refund_reported_already:
    'tidak diperlukan: penyedia melaporkan pengembalian dana sejumlah ini yang menunggu keputusan, sehingga tidak ada dana yang dikirim',
  bank_reference_needed: 'isi nomor referensi transfer bank',
  payment_not_refundable: 'Hanya pembayaran yang sudah lunas yang dapat dikembalikan',
  refund_not_pending: 'Hasil pengembalian dana ini sudah diketahui',
  refund_of_provider: ({ name }) =>
    `${name === 'chargeback' ? 'Chargeback' : 'Pengembalian dana'} ini dibuat di penyedia. Tunggu laporan penyedia tentang hasilnya`,
  chargeback_of_other_order:
    'Penyedia tidak dapat memastikan bahwa chargeback yang ditetapkan ini dimenangkan',
  chargeback_still_listed: ({ provider }) =>
    `${provider} masih melaporkan chargeback ini, sehingga kemenangannya tidak dapat dicatat`,
  chargeback_unconfirmed: ({ provider }) =>
    `${provider} belum memastikan bahwa pesanan ini lunas tanpa chargeback. Coba lagi nanti`,
  chargeback_reported_again: 'Penyedia baru saja melaporkan chargeback ini lagi. Coba lagi',
  refund_in_progress: ({ until }, { time }) =>
    `Penyedia mungkin masih memproses pengembalian dana ini. Anda dapat mencatat hasilnya setelah ${time(until)}`,
  balance_too_low: ({ balance }, { money }) =>
    `Saldo ${money(balance)} tidak cukup untuk pengembalian dana ini`,
  balance_too_low_for_refund: 'Saldo tidak lagi cukup untuk pengembalian dana ini',
  refund_not_found: 'Pengembalian dana tidak ditemukan',

  // Errors about items that were not found.
  payment_not_found: 'Pembayaran tidak ditemukan',
  tenant_not_found: 'Tenant tidak ditemukan',
  api_key_not_found: 'Kunci API tidak ditemukan',
  user_not_found: 'Pengguna ini tidak ada',
  passkey_not_found: 'Kunci sandi ini sudah tidak ada',
  session_not_found: 'Sesi ini sudah berakhir',
  provider_not_found: 'Penyedia tidak ditemukan',
  settlement_not_found: 'Settlement untuk hari tersebut belum diunggah',
  provider_account_not_found: 'Akun penyedia tidak ditemukan',
  api_request_not_found: 'Permintaan tidak ditemukan',
  webhook_endpoint_not_found: 'Endpoint tidak ditemukan',
  webhook_event_not_found: 'Event tidak ditemukan',
  provider_callback_not_found: 'Callback tidak ditemukan',
  unexpected_money_not_found: 'Catatan tidak ditemukan',
  difference_not_found: 'Selisih tidak ditemukan',
  ledger_not_sealed:
    'Belum ada mutasi buku besar yang bersegel. Mutasi diberi segel dalam sekitar sepuluh menit',

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
  number_too_large: ({ max }, { count }) =>
    max >= 1e11 ? 'harus berupa angka yang lebih kecil' : `maksimal ${count(max)}`,
  number_not_above: ({ min }, { count }) => `harus lebih dari ${count(min)}`,
  number_not_below: ({ max }, { count }) => `harus kurang dari ${count(max)}`,
  not_multiple: ({ of }, { count }) => `harus kelipatan ${count(of)}`,
  value_wrong: 'pilih salah satu opsi yang tersedia',
  value_not_listed: 'pilih salah satu opsi yang tersedia',
  name_not_allowed: 'memuat nama yang tidak diperbolehkan',
  form_not_allowed: 'nilai ini tidak diperbolehkan',
  text_malformed: 'memuat karakter yang tidak diperbolehkan',
  moment_malformed: 'harus berupa tanggal',
  amount_not_positive: 'harus lebih dari nol',
  currency_unsupported: 'harus IDR, satu-satunya mata uang yang didukung',
  channel_needed: 'pilih salah satu opsi yang tersedia',
  method_mismatched: 'pilih salah satu opsi yang tersedia',
  whole_number_out_of_range: ({ min, max }, { count }) =>
    max >= 1e11
      ? `harus berupa bilangan bulat, minimal ${count(min)}`
      : `harus berupa bilangan bulat dari ${count(min)} sampai ${count(max)}`,
  limit_out_of_range: ({ min, max }, { count }) =>
    `harus berupa bilangan bulat dari ${count(min)} sampai ${count(max)}, atau kosong`,
  max_below_min: 'tidak boleh kurang dari nilai minimum',
  one_payer_needed: 'isi salah satu saja: pembayaran, alamat email, atau nomor telepon',
  phone_number_expected: ({ min }) => `harus berupa nomor telepon dengan minimal ${min} angka`,
  reason_needed: 'isi alasan, yang disimpan bersama catatannya',
  payment_id_malformed: 'harus berupa ID pembayaran atau kode pembayaran',
  network_malformed: ({ example }) =>
    `harus berupa alamat IPv4 atau IPv6, atau jaringan dalam notasi CIDR seperti ${example}`,
  url_not_plain: 'harus berupa URL http atau https tanpa pengguna, query, atau fragmen',
  url_with_credentials: 'tidak boleh memuat nama pengguna atau kata sandi',
  return_url_malformed: 'harus berupa URL',
  return_url_insecure: 'harus diawali https://',
  groups_unknown: 'pilih salah satu opsi yang tersedia',
  cursor_stale: 'Daftar ini sudah berubah. Muat ulang daftar',
  digits_expected: ({ min, max }) => `harus ${min === max ? min : `${min} sampai ${max}`} angka`,
  letters_and_digits_expected: 'hanya boleh berisi huruf dan angka',
  terminal_id_malformed: ({ min, max }) => `harus ${min} sampai ${max} huruf dan angka`,
  rsa_key_expected: ({ form }) => `harus berupa kunci RSA, ${form}`,
  fields_needed_together: ({ fields }) => `isi semua kolom ini: ${fields.join(', ')}`,
  color_malformed: 'harus berupa warna seperti #0f766e',
  logo_too_heavy: ({ max }) =>
    `ukuran berkas maksimal ${max} kB. Simpan gambar dalam ukuran yang lebih kecil`,

  // Errors about the branding.
  color_too_light: ({ ratio, min }, { count }) =>
    `terlalu terang untuk teks putih: kontrasnya ${count(ratio)}:1, minimal ${count(min)}:1. Pilih warna yang lebih gelap`,
  logo_not_picture: 'harus berupa gambar PNG, JPEG, atau WebP',
  logo_type_differs: ({ declared, found }) =>
    `nama berkasnya ${declared}, tetapi gambarnya ${found}. Perbaiki akhiran nama berkas`,
  logo_damaged: 'bukan gambar yang utuh. Ekspor ulang gambar dari aplikasinya',
  logo_animated: 'tidak boleh berupa gambar bergerak',
  logo_too_large: ({ width, height, max }) =>
    `maksimal ${max} × ${max} piksel, tetapi gambar ini ${width} × ${height}. Perkecil gambar`,

  input_invalid: ({ what }) => what,
}
