// The email sent to a tenant's admins when an invited user sets a password. The email reveals invitations that an
// intruder sent or accepted, so it cannot be turned off.

import { circumstances } from './account-mails.ts'
import type { Mail } from './mail.ts'

export function joinedUserMail(joined: {
  to: string
  email: string
  permissions: readonly string[]
  at: Date
  publicUrl: string
}): Mail {
  const { to, email, at, publicUrl } = joined
  const usersPage = `${publicUrl}/dashboard/users`
  const auditLog = `${publicUrl}/dashboard/audit-log`
  const facts = `Permissions: ${joined.permissions.join(', ')}\n${circumstances(at, null)}`
  return {
    to,
    subject: 'A user joined your Gapura team / Pengguna baru di tim Gapura Anda',
    text: `${email} accepted an invitation to your team and can now
log in.

${facts}

If you expected this user, you need not do anything. Otherwise, remove
the user:

  ${usersPage}

The audit log shows who sent the invitation:

  ${auditLog}

---
Bahasa Indonesia

${email} menerima undangan ke tim Anda dan sekarang dapat
masuk. Izin pengguna ini dan waktunya ada di atas.

Jika Anda memang menunggu pengguna ini, tidak perlu berbuat apa-apa. Jika
tidak, hapus pengguna ini di
${usersPage}

Log audit menunjukkan siapa yang mengirim undangan:
${auditLog}
`,
  }
}
