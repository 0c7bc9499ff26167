// The emails the service sends: plain text with instructions, in English and then in Indonesian.

export type Mail = { to: string; subject: string; text: string }

/**
 * Returns the tenant's name on one line of at most 80 characters. A tenant can choose any name, and email programs turn
 * text such as `www.example.com` into a link. A space after each dot and colon prevents this.
 */
export function unlinked(tenantName: string): string {
  return tenantName
    .replace(/[.:](?=\S)/g, '$& ')
    .replace(/\s+/g, ' ')
    .slice(0, 80)
}

export function passwordResetMail(reset: {
  to: string
  tenantName: string
  token: string
  publicUrl: string
  minutes: number
}): Mail {
  const name = unlinked(reset.tenantName)
  const page = `${reset.publicUrl}/dashboard/reset-password?step=set`
  return {
    to: reset.to,
    subject: 'Set a new Gapura password / Atur ulang kata sandi Gapura',
    text: `We received a request to reset the password for this email address.
The account belongs to ${name}.

To set a new password, use this token within ${reset.minutes} minutes:

  ${reset.token}

Enter the token at ${page}
or send it with the API:

  curl ${reset.publicUrl}/v1/auth/password-reset/confirm \\
    -H 'Content-Type: application/json' \\
    -d '{ "token": "<the token>", "new_password": "<the new password>" }'

The token works once. A new password ends all your sessions.
If you did not request this, ignore this email: your password does not
change.

---
Bahasa Indonesia

Kami menerima permintaan untuk mengatur ulang kata sandi alamat email ini.
Akun ini milik ${name}.

Untuk membuat kata sandi baru, masukkan token di atas dalam ${reset.minutes} menit
di ${page}

Token hanya dapat dipakai satu kali. Kata sandi baru mengakhiri semua
sesi Anda. Jika Anda tidak meminta ini, abaikan email ini: kata sandi
Anda tidak berubah.
`,
  }
}

export function ledgerDiffersMail(found: { to: string; count: number; publicUrl: string }): Mail {
  const differences = found.count === 1 ? '1 difference' : `${found.count} differences`
  const inbox = `${found.publicUrl}/dashboard/inbox`
  const docs = `${found.publicUrl}/docs`
  return {
    to: found.to,
    subject: 'Gapura ledger verification found differences / Selisih di buku besar Gapura',
    text: `Gapura verified its ledger and found ${differences}.

A ledger entry, a balance or a payment has changed since it was recorded.
The service continues to run. Do not pay out money based on these
balances until you know the cause.

See the differences:  ${inbox}
List all of them:     gapura-server verify-ledger
Read the guide:       ${docs}/verifying-the-ledger

---
Bahasa Indonesia

Gapura memverifikasi buku besarnya dan menemukan ${found.count} selisih.

Ada mutasi buku besar, saldo, atau pembayaran yang berubah setelah dicatat.
Layanan tetap berjalan. Jangan mencairkan dana berdasarkan saldo ini
sebelum penyebabnya diketahui.

Lihat selisih:    ${inbox}
Daftar lengkap:   gapura-server verify-ledger
Baca panduan:     ${docs}/id/verifying-the-ledger
`,
  }
}

export function reconciliationDiffersMail(found: { to: string; count: number; publicUrl: string }): Mail {
  const differences = found.count === 1 ? '1 new difference' : `${found.count} new differences`
  const inbox = `${found.publicUrl}/dashboard/inbox?tab=differences`
  const docs = `${found.publicUrl}/docs`
  return {
    to: found.to,
    subject: 'Gapura reconciliation found differences / Selisih rekonsiliasi Gapura',
    text: `Gapura compared its payments with the ledger and the providers,
and found ${differences}.

Each difference stays in the Inbox until the records agree again or you
close it.

See the differences:  ${inbox}
Read the guide:       ${docs}/reconciliation

---
Bahasa Indonesia

Gapura mencocokkan pembayaran dengan buku besar dan penyedia, dan
menemukan ${found.count} selisih baru.

Setiap selisih tetap di Kotak masuk sampai datanya cocok lagi atau Anda
menutupnya.

Lihat selisih:   ${inbox}
Baca panduan:    ${docs}/id/reconciliation
`,
  }
}
