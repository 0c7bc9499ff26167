// The email that warns a user about a change to the password or second factor. It cannot be turned off, because a thief
// with a stolen session may have made the change. It contains no secrets, and no passkey names, because the thief could
// have chosen them.

import { circumstances } from './account-mails.ts'
import type { Mail } from './mail.ts'

export const securityChanges = [
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'second_factor_reset_by_admin',
  'second_factor_reset_by_operator',
  'password_changed',
  'password_reset',
] as const
export type SecurityChange = (typeof securityChanges)[number]

const english: Record<SecurityChange, string> = {
  totp_added: 'An authenticator app was added to your account.',
  totp_removed: 'The authenticator app was removed from your account.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  recovery_codes_renewed:
    'New recovery codes were created for your account. The earlier codes no\nlonger work.',
  recovery_code_used: 'A recovery code of your account was used. It cannot be used again.',
  second_factor_reset_by_admin:
    'An admin reset your second factor. All your sessions have ended. Until\nyou add a factor again, your password alone is enough to log in.',
  second_factor_reset_by_operator:
    'The operator of Gapura reset your second factor. All your sessions have\nended. Until you add a factor again, your password alone is enough to\nlog in.',
  password_changed: 'The password of your account was changed.',
  password_reset: 'The password of your account was reset with a token from an email.',
}

const indonesian: Record<SecurityChange, string> = {
  totp_added: 'Aplikasi autentikator ditambahkan ke akun Anda.',
  totp_removed: 'Aplikasi autentikator dihapus dari akun Anda.',
  passkey_added: 'Kunci sandi (passkey) ditambahkan ke akun Anda.',
  passkey_removed: 'Kunci sandi (passkey) dihapus dari akun Anda.',
  recovery_codes_renewed: 'Kode pemulihan baru dibuat untuk akun Anda. Kode sebelumnya tidak\nberlaku lagi.',
  recovery_code_used: 'Satu kode pemulihan akun Anda dipakai. Kode itu tidak berlaku lagi.',
  second_factor_reset_by_admin:
    'Admin mengatur ulang faktor kedua Anda. Semua sesi Anda telah berakhir.\nSampai Anda menambahkan faktor lagi, untuk masuk hanya diperlukan kata\nsandi.',
  second_factor_reset_by_operator:
    'Operator Gapura mengatur ulang faktor kedua Anda. Semua sesi Anda telah\nberakhir. Sampai Anda menambahkan faktor lagi, untuk masuk hanya\ndiperlukan kata sandi.',
  password_changed: 'Kata sandi akun Anda diganti.',
  password_reset: 'Kata sandi akun Anda diatur ulang dengan token dari email.',
}

/**
 * Returns the email about a security change. If another person made the change, `client` is null, because the email
 * must not show that person's IP address and device.
 */
export function securityChangeMail(changed: {
  email: string
  change: SecurityChange
  at: Date
  client: { address: string | null; userAgent: string | null } | null
  publicUrl: string
}): Mail {
  const { change, at, client, publicUrl } = changed
  const securityPage = `${publicUrl}/dashboard/security`
  const resetPage = `${publicUrl}/dashboard/reset-password`
  return {
    to: changed.email,
    subject: 'The security of your Gapura account changed / Keamanan akun Gapura Anda berubah',
    text: `${english[change]}

${circumstances(at, client)}

If you made or requested this change, you need not do anything.
Otherwise, set a new password. This ends all your sessions:

  ${resetPage}

Then log in, and check your second factor and your sessions:

  ${securityPage}

If you cannot log in, ask an admin of your team or the operator of
Gapura to reset your second factor.

---
Bahasa Indonesia

${indonesian[change]}

${client ? 'Waktu, alamat IP, dan perangkatnya ada di atas.' : 'Waktunya ada di atas.'}

Jika Anda melakukan atau meminta perubahan ini, tidak perlu berbuat
apa-apa. Jika tidak, buat kata sandi baru. Semua sesi Anda akan berakhir:
${resetPage}

Lalu masuk, dan periksa faktor kedua serta sesi Anda di
${securityPage}

Jika Anda tidak dapat masuk, mintalah admin tim Anda atau operator
Gapura untuk mengatur ulang faktor kedua Anda.
`,
  }
}
