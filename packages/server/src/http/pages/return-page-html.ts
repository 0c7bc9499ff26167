// The HTML of the page to which a payer returns after paying, in Indonesian and English. Only the merchant's
// name (which is escaped) and the payment code differ between payments.

import type { Brand } from '../../branding/branding.sql.ts'
import { logoPath } from '../../branding/branding.ts'
import type { Payment, ShownStatus } from '../../payments/payment.ts'
import { escapeHtml } from '../../values/html.ts'

/** The languages of the page a payer sees after paying. The first is the default. */
export const languages = ['id', 'en'] as const
export type PageLanguage = (typeof languages)[number]
type Text = Record<PageLanguage, string>

/** The number of seconds between page reloads in a browser that runs no scripts. */
const RELOAD_SECONDS = 10

const signs = {
  /** The SVG path of the clock icon. */
  wait: 'M12 8v4.5l3 1.8M12 5.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13z',
  good: 'M7.5 12.5l3 3l6-6.5',
  bad: 'M8.5 8.5l7 7M15.5 8.5l-7 7',
  /** The SVG path of the question mark icon. */
  none: 'M9.5 9.7a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2 1-1.2 1.9M12 16.6v.01',
}

type Words = { sign: keyof typeof signs; title: Text; text: Text; time: Text }

const words: Record<ShownStatus, Words> = {
  pending: {
    sign: 'wait',
    title: { en: 'Waiting for your payment', id: 'Menunggu pembayaran Anda' },
    text: {
      en: 'We have not received your payment yet. If you have just paid, wait a moment: this page updates automatically.',
      id: 'Pembayaran Anda belum kami terima. Jika Anda baru saja membayar, tunggu sebentar: halaman ini diperbarui otomatis.',
    },
    time: { en: 'Pay before', id: 'Bayar sebelum' },
  },
  paid: {
    sign: 'good',
    title: { en: 'Payment received', id: 'Pembayaran diterima' },
    text: {
      en: 'Thank you. You can close this page and go back to the shop.',
      id: 'Terima kasih. Anda dapat menutup halaman ini dan kembali ke toko.',
    },
    time: { en: 'Paid', id: 'Dibayar' },
  },
  failed: {
    sign: 'bad',
    title: { en: 'Payment failed', id: 'Pembayaran gagal' },
    text: {
      en: 'Your payment did not go through. Go back to the shop to try again.',
      id: 'Pembayaran Anda tidak berhasil. Silakan kembali ke toko untuk mencoba lagi.',
    },
    time: { en: 'Updated', id: 'Diperbarui' },
  },
  expired: {
    sign: 'bad',
    title: { en: 'Payment expired', id: 'Waktu pembayaran habis' },
    text: {
      en: 'The time to pay has run out. Go back to the shop to start a new payment.',
      id: 'Batas waktu pembayaran sudah lewat. Silakan kembali ke toko untuk membuat pembayaran baru.',
    },
    time: { en: 'Expired', id: 'Kedaluwarsa' },
  },
  cancelled: {
    sign: 'bad',
    title: { en: 'Payment cancelled', id: 'Pembayaran dibatalkan' },
    text: {
      en: 'This payment was cancelled. Go back to the shop to start a new payment.',
      id: 'Pembayaran ini dibatalkan. Silakan kembali ke toko untuk membuat pembayaran baru.',
    },
    time: { en: 'Updated', id: 'Diperbarui' },
  },
  challenged: {
    sign: 'wait',
    title: { en: 'Payment under review', id: 'Pembayaran sedang ditinjau' },
    text: {
      en: 'Your payment is being reviewed. The shop will notify you of the result.',
      id: 'Pembayaran Anda sedang ditinjau. Toko akan memberi tahu Anda hasilnya.',
    },
    time: { en: 'Updated', id: 'Diperbarui' },
  },
}

/**
 * The words while an OVO payment is pending whose provider has no payment page for OVO. The merchant then redirects the
 * payer here.
 */
const confirmInOvo: Pick<Words, 'title' | 'text'> = {
  title: { en: 'Confirm in the OVO app', id: 'Konfirmasi di aplikasi OVO' },
  text: {
    en: 'Open the OVO app on your phone and confirm the payment now. The request in the app can expire after 55 seconds. This page updates automatically.',
    id: 'Buka aplikasi OVO di ponsel Anda, lalu konfirmasi pembayaran ini sekarang. Permintaan di aplikasi bisa kedaluwarsa setelah 55 detik. Halaman ini diperbarui otomatis.',
  },
}

const missing: Pick<Words, 'title' | 'text'> = {
  title: { en: 'Payment not found', id: 'Pembayaran tidak ditemukan' },
  text: {
    en: 'Check the link, or go back to the shop.',
    id: 'Periksa tautan halaman ini, atau kembali ke toko.',
  },
}

const unpaidHelp: Text = {
  en: 'If money was deducted from your account, contact the shop and give them the payment code.',
  id: 'Jika saldo Anda sudah terpotong, hubungi toko dan sebutkan kode pembayaran.',
}
const backToShop: Text = { en: 'Back to the shop', id: 'Kembali ke toko' }
const codeLabel: Text = { en: 'Payment code', id: 'Kode pembayaran' }
const testNote: Text = {
  en: 'This is a test payment. No real money moves.',
  id: 'Ini pembayaran uji coba. Tidak ada uang sungguhan yang berpindah.',
}

export type ReturnedPayment = Pick<
  Payment,
  'tenantId' | 'paymentCode' | 'mode' | 'methodData' | 'returnUrl' | 'expiresAt' | 'paidAt' | 'updatedAt'
> & { status: ShownStatus }

/** Returns whether the payer may still be waiting for the result of the payment. */
export const isPayable = (status: ShownStatus): boolean => status === 'pending' || status === 'challenged'

/**
 * Returns an HTML page that shows the status of a payment. If no brand is given, the page does not show who
 * the merchant is.
 */
export function statusPage(
  payment: ReturnedPayment,
  brand: Brand | undefined,
  language: PageLanguage,
): string {
  const { sign, title, text, time } = wordsFor(payment)
  const at = timeOf(payment)
  const open = isPayable(payment.status)
  const content = `${drawing(sign)}<h1>${title[language]}</h1>
<p>${text[language]}</p>
${sign === 'bad' ? `<p>${unpaidHelp[language]}</p>\n` : ''}<dl>
<div><dt>${codeLabel[language]}</dt><dd>${payment.paymentCode}</dd></div>
<div><dt>${time[language]}</dt><dd><time datetime="${at.toISOString()}">${clock(at, language)}</time></dd></div>
</dl>
${linkToShop(payment, language)}${payment.mode === 'test' ? `<p class="test">${testNote[language]}</p>\n` : ''}`
  const main = `<main data-status="${payment.status}"${open ? ' data-open' : ''} aria-live="polite">\n${content}</main>`
  const color = brand?.color?.slice(1)
  return frame(title[language], language, {
    styles: color ? `<link rel="stylesheet" href="brands/${color}.css">\n` : '',
    body: `${brand ? banner(payment.tenantId, brand) : ''}${main}`,
    reload: open,
  })
}

/**
 * A link to the merchant's return URL. The wallet itself redirects the payer there, except for OVO payments that the
 * payer confirms in the app. A pending payment has no link, so that the payer does not leave before paying.
 */
function linkToShop({ status, returnUrl }: ReturnedPayment, language: PageLanguage): string {
  if (status === 'pending' || returnUrl === null) return ''
  return `<p><a class="back" href="${escapeHtml(returnUrl)}">${backToShop[language]}</a></p>\n`
}

function wordsFor({ status, methodData, paymentCode }: ReturnedPayment): Words {
  const isInOvo =
    methodData?.type === 'e_wallet' &&
    methodData.wallet_type.toLowerCase() === 'ovo' &&
    methodData.redirect_url.endsWith(`/return/${paymentCode}`)
  return status === 'pending' && isInOvo ? { ...words.pending, ...confirmInOvo } : words[status]
}

/**
 * The header with the merchant's name and logo. The logo has no alternative text, because the name is next to it.
 */
function banner(tenantId: string, { name, logo }: Brand): string {
  const picture = logo
    ? `<img src="../${logoPath(tenantId, logo.sha256)}" alt="" width="${logo.width}" height="${logo.height}">\n`
    : ''
  return `<header class="brand">\n${picture}<p><bdi>${escapeHtml(name)}</bdi></p>\n</header>\n`
}

export function unknownPaymentPage(language: PageLanguage): string {
  const title = missing.title[language]
  const main = `<main>\n${drawing('none')}<h1>${title}</h1>\n<p>${missing.text[language]}</p>\n</main>`
  return frame(title, language, { styles: '', body: main, reload: false })
}

function timeOf({ status, paidAt, expiresAt, updatedAt }: ReturnedPayment): Date {
  if (status === 'paid') return paidAt ?? updatedAt
  return status === 'pending' || status === 'expired' ? expiresAt : updatedAt
}

const clocks = {
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Jakarta' }),
  id: new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Jakarta' }),
}
const clock = (at: Date, language: PageLanguage): string => `${clocks[language].format(at)} WIB`

const drawing = (sign: keyof typeof signs): string =>
  `<svg class="sign ${sign}" viewBox="0 0 24 24" aria-hidden="true"><path d="${signs[sign]}"/></svg>\n`

/**
 * Returns the HTML document. The URLs in it are relative, because behind a proxy, the service may have a path
 * prefix.
 */
function frame(
  title: string,
  language: PageLanguage,
  { styles, body, reload }: { styles: string; body: string; reload: boolean },
): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/return.css">
${styles}${reload ? `<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>\n<script src="assets/return.js" defer></script>\n` : ''}</head>
<body>
${body}
</body>
</html>
`
}
