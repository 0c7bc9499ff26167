// The emails about invitations and about logins from new devices. Each email is plain text, first in English and
// then in Indonesian.

import { deviceName } from '../values/device-name.ts'
import { type Mail, unlinked } from './mail.ts'

export function invitationMail(invited: {
  to: string
  tenantName: string
  token: string
  publicUrl: string
  days: number
}): Mail {
  // The token is in the URL's fragment (after `#`). Browsers do not send the fragment to servers, so no server logs
  // the token.
  const page = `${invited.publicUrl}/dashboard/accept-invitation#${invited.token}`
  const name = unlinked(invited.tenantName)
  return {
    to: invited.to,
    subject: 'You are invited to Gapura / Anda diundang ke Gapura',
    text: `${name} invites you to its Gapura dashboard.

To set your password, open this link within ${invited.days} days:

  ${page}

The link works once. If you do not know ${name}, ignore this email.

---
Bahasa Indonesia

${name} mengundang Anda ke dasbor Gapura miliknya.

Untuk membuat kata sandi, buka tautan di atas dalam ${invited.days} hari.
Tautan hanya dapat dipakai satu kali. Jika Anda tidak mengenal
${name}, abaikan email ini.
`,
  }
}

export function newDeviceMail(login: {
  email: string
  address: string | null
  userAgent: string | null
  createdAt: Date
  publicUrl: string
}): Mail {
  const page = `${login.publicUrl}/dashboard/security`
  return {
    to: login.email,
    subject: 'New login to Gapura / Login baru ke Gapura',
    text: `A device that you had not used before logged in to your account.

${circumstances(login.createdAt, login)}

If it was you, you need not do anything. Otherwise, end the session and
change your password:

  ${page}

---
Bahasa Indonesia

Perangkat yang belum pernah Anda pakai masuk ke akun Anda. Waktu, alamat
IP, dan perangkatnya ada di atas.

Jika itu Anda, tidak perlu berbuat apa-apa. Jika bukan, akhiri sesi
tersebut dan ganti kata sandi Anda di
${page}
`,
  }
}

/**
 * Returns the lines that show when and from where an action was taken. If `client` is null, only the time is shown.
 */
export function circumstances(
  at: Date,
  client: { address: string | null; userAgent: string | null } | null,
): string {
  const time = `Time:        ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (!client) return time
  return `${time}
IP address:  ${client.address ?? 'unknown'}
Device:      ${deviceName(client.userAgent) ?? 'unknown'}`
}
