// The email sent to a tenant's admins when a user joins the team: an invited user sets a password, or a user is created
// with a password. The email reveals users whom an intruder added, so it cannot be turned off.

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
    text: `${email} joined your team and can now log in.

${facts}

If you expected this user, you need not do anything. Otherwise, remove
the user:

  ${usersPage}

The audit log shows who invited or created the user:

  ${auditLog}

---
Bahasa Indonesia

${email} bergabung dengan tim Anda dan sekarang dapat masuk. Izin pengguna ini dan waktunya ada di atas.

Jika Anda memang menunggu pengguna ini, tidak perlu berbuat apa-apa. Jika
tidak, hapus pengguna ini di
${usersPage}

Log audit menunjukkan siapa yang mengundang atau membuat pengguna ini:
${auditLog}
`,
  }
}
