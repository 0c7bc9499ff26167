// The texts of the emails about problems, such as a failing webhook receiver. Each email is plain text, first in
// English and then in Indonesian.

import type { Mail } from '../mail/mail.ts'
import { type Notice, type NoticeKind, repeatAfterMs } from './notice.ts'

type Detail = Notice['detail']
type Text = {
  subject: { en: string; id: string }
  /** An email's English and Indonesian texts. They describe what happened and what the reader can do. */
  en: string
  id: string
  /** The dashboard page where the email's reader can solve the problem. */
  page: string
}

const callbackUrlFailing = ({ error }: Detail, since: string): Text => ({
  subject: { en: 'Your callback URL is failing', id: 'URL callback Anda gagal' },
  en: `Every delivery to your callback URL has failed since
${since}. The last attempt failed: ${oneLine(error)}

Gapura makes four attempts for each event, ten seconds apart. When your
receiver works again, redeliver the failed events from the dashboard.`,
  id: `Setiap pengiriman ke URL callback Anda gagal sejak
${since}. Percobaan terakhir gagal: ${oneLine(error)}

Gapura mencoba empat kali untuk setiap event, dengan jeda sepuluh detik.
Setelah penerima Anda berfungsi lagi, kirim ulang event yang gagal dari
dasbor.`,
  page: 'webhooks',
})

const endpointFailing = ({ error, url, mode, endpoint_id }: Detail, since: string): Text => ({
  subject: { en: 'A webhook endpoint is failing', id: 'Endpoint webhook gagal' },
  en: `Every delivery to this webhook endpoint (${mode} mode) has failed since
${since}:

  ${oneLine(url)}

The last attempt failed: ${oneLine(error)}

Make sure that the endpoint is reachable and responds with a status from 200
to 299. When it works again, redeliver the failed events on its page. If you
no longer need the endpoint, disable or delete it there.`,
  id: `Setiap pengiriman ke endpoint webhook ini (mode ${mode}) gagal sejak
${since}:

  ${oneLine(url)}

Percobaan terakhir gagal: ${oneLine(error)}

Pastikan endpoint dapat dijangkau dan merespons dengan status 200 sampai 299.
Setelah endpoint berfungsi lagi, kirim ulang event yang gagal di halamannya.
Jika endpoint tidak diperlukan lagi, nonaktifkan atau hapus di halaman itu.`,
  page: `webhooks/endpoints/${endpoint_id}`,
})

const texts: Record<NoticeKind, (detail: Detail, since: string) => Text> = {
  receiver_failing: (detail, since) =>
    detail.endpoint_id === undefined ? callbackUrlFailing(detail, since) : endpointFailing(detail, since),
  key_expiring: ({ key, name, mode, expires_at, last_used_at }, since) => ({
    subject: { en: 'An API key in use expires soon', id: 'Kunci API yang dipakai segera kedaluwarsa' },
    en: `The API key ${key} (${oneLine(name)}, ${mode}) was rotated at
${since} but was used after that. The last use was at
${minuteOf(String(last_used_at))}. The key stops working at ${minuteOf(String(expires_at))}.

Replace it with the new key in every program that uses it.`,
    id: `Kunci API ${key} (${oneLine(name)}, ${mode}) dirotasi pada
${since}, tetapi masih dipakai setelah itu. Pemakaian terakhir
pada ${minuteOf(String(last_used_at))}. Kunci ini berhenti berfungsi pada ${minuteOf(String(expires_at))}.

Ganti dengan kunci baru di setiap program yang memakainya.`,
    page: 'api-keys',
  }),
  unexpected_money: ({ count }, since) => ({
    subject: { en: 'Unexpected money needs your decision', id: 'Dana tak terduga perlu keputusan Anda' },
    en: `${count} live payments or reversals do not match their orders. The
oldest one has waited since ${since}.

Accept, assign, refund or dismiss each of them in the Inbox.`,
    id: `${count} pembayaran atau pembalikan live tidak cocok dengan pesanannya.
Yang terlama menunggu sejak ${since}.

Terima, tetapkan, kembalikan, atau abaikan masing-masing di Kotak masuk.`,
    page: 'inbox',
  }),
  outcome_unknown: ({ count }, since) => ({
    subject: { en: 'Unknown outcomes need your decision', id: 'Hasil tak diketahui perlu keputusan Anda' },
    en: `For ${count} live charges or refunds, the provider has not reported the
outcome. The oldest one has waited since ${since}.

Look each of them up at the provider, and record the outcome in the Inbox.`,
    id: `Untuk ${count} tagihan atau pengembalian dana live, penyedia belum
melaporkan hasilnya. Yang terlama menunggu sejak ${since}.

Periksa masing-masing di penyedia, lalu catat hasilnya di Kotak masuk.`,
    page: 'inbox',
  }),
  provider_down: ({ provider, account_id }, since) => ({
    subject: { en: 'A provider account is unavailable', id: 'Akun penyedia tidak tersedia' },
    en: `Most charges through an account of ${provider} have failed since
${since}. Gapura uses other accounts where the routing
allows it, and returns to this account when the provider responds again.

Account: ${account_id}`,
    id: `Sebagian besar tagihan melalui akun ${provider} gagal sejak
${since}. Gapura memakai akun lain jika aturan rute
mengizinkan, dan memakai akun ini lagi setelah penyedia merespons.

Akun: ${account_id}`,
    page: 'provider-health',
  }),
  success_rate_falling: ({ provider, name, account_id, ended, percent, earlier_percent }) => ({
    subject: { en: 'Fewer payments succeed', id: 'Lebih sedikit pembayaran yang berhasil' },
    en: `In the last six hours, ${ended} live payments ended at an account of
${provider}, and ${percent}% of them were paid. In the same hours of the seven days
before, ${earlier_percent}% were paid.

Account: ${oneLine(name)} (${account_id})

Check whether the provider or one of its channels has a problem. If it has,
change the routing rules so that payments use another account.`,
    id: `Dalam enam jam terakhir, ${ended} pembayaran live berakhir di satu akun
${provider}, dan ${percent}% di antaranya dibayar. Pada jam yang sama dalam tujuh
hari sebelumnya, ${earlier_percent}% dibayar.

Akun: ${oneLine(name)} (${account_id})

Periksa apakah penyedia atau salah satu kanalnya bermasalah. Jika ya, ubah
aturan rute agar pembayaran memakai akun lain.`,
    page: 'provider-health',
  }),
}

/** The last lines of a notice email, which state whether the email is repeated. */
const daily = {
  en: 'This email is repeated once a day until the problem is solved.',
  id: 'Email ini diulang sekali sehari sampai masalahnya selesai.',
}
const once = {
  en: 'This email is not repeated. You receive another one if the problem ends and\nbegins again.',
  id: 'Email ini tidak diulang. Anda menerima email lagi jika masalahnya selesai\nlalu muncul kembali.',
}

/**
 * Shortens text from users and receivers, such as a name or a receiver's error, to one line, because such text may
 * have any length.
 */
const oneLine = (text: unknown): string => String(text).replace(/\s+/g, ' ').slice(0, 120)
const minuteOf = (at: string): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const textOf = ({ kind, detail, since }: Notice): Text => texts[kind](detail, minuteOf(since.toISOString()))

/** Returns the dashboard page where the problem can be solved. */
export const noticeLink = (notice: Notice, publicUrl: string): string =>
  `${publicUrl}/dashboard/${textOf(notice).page}`

export const noticeSummary = (notice: Notice): string => textOf(notice).subject.en

export function noticeMail({
  to,
  publicUrl,
  notice,
}: {
  to: string
  publicUrl: string
  notice: Notice
}): Mail {
  const { subject, en, id } = textOf(notice)
  const link = noticeLink(notice, publicUrl)
  const settings = `${publicUrl}/dashboard/settings`
  const again = repeatAfterMs(notice.kind) === null ? once : daily
  return {
    to,
    subject: `${subject.en} / ${subject.id}`,
    text: `${en}

  ${link}

${again.en}
To turn off mails of this kind:

  ${settings}

---
Bahasa Indonesia

${id}

  ${link}

${again.id}
Untuk mematikan email jenis ini:

  ${settings}
`,
  }
}
