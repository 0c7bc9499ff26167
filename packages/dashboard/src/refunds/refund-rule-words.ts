import type { BrokenRefundRule } from '@gapura/server/refund-terms'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import type { RefundOffer } from './refund-words.ts'

const text = words({
  en: {
    no_refunds: (provider: string, channel: string) => `${provider} cannot refund ${channel} payments.`,
    full_only: (provider: string, channel: string, sum: string) =>
      `${provider} only refunds ${channel} payments in full: ${sum}, in one refund.`,
    max_refunds: (provider: string, channel: string, max: number) =>
      max === 1
        ? `${provider} allows only one refund per ${channel} payment.`
        : `${provider} allows at most ${max} refunds per ${channel} payment.`,
    window: (provider: string, channel: string, days: number, end: string) =>
      `${provider} refunds ${channel} payments only within ${days} days of the payment. This period ended on ${end}.`,
    hours: (provider: string, channel: string, from: string, to: string, opens: string) =>
      `${provider} refunds ${channel} only from ${from} to ${to} WIB. Try again at ${opens}.`,
    min_amount: (provider: string, channel: string, min: string) =>
      `The minimum refund at ${provider} for ${channel} payments is ${min}.`,
    whole_rupiah: (provider: string) => `${provider} only refunds whole rupiah amounts.`,
  },
  id: {
    no_refunds: (provider: string, channel: string) =>
      `${provider} tidak dapat mengembalikan dana pembayaran ${channel}.`,
    full_only: (provider: string, channel: string, sum: string) =>
      `${provider} hanya mengembalikan dana ${channel} secara penuh: ${sum}, dalam satu pengembalian.`,
    max_refunds: (provider: string, channel: string, max: number) =>
      `${provider} mengizinkan paling banyak ${max} pengembalian untuk satu pembayaran ${channel}.`,
    window: (provider: string, channel: string, days: number, end: string) =>
      `${provider} hanya mengembalikan dana ${channel} dalam ${days} hari setelah pembayaran. Batas waktunya berakhir pada ${end}.`,
    hours: (provider: string, channel: string, from: string, to: string, opens: string) =>
      `${provider} hanya mengembalikan dana ${channel} antara pukul ${from} dan ${to} WIB. Coba lagi pada ${opens}.`,
    min_amount: (provider: string, channel: string, min: string) =>
      `${provider} mengembalikan dana ${channel} paling sedikit ${min}.`,
    whole_rupiah: (provider: string) => `${provider} hanya mengembalikan rupiah bulat.`,
  },
})

/** Returns a function that explains, in the reader's language, why the provider cannot make the refund. */
export function useRefundRule({ provider, channel }: RefundOffer): (broken: BrokenRefundRule) => string {
  const t = useWords(text)
  const { money, exactTime } = useFormat()
  return broken => {
    switch (broken.rule) {
      case 'no_refunds':
        return t.no_refunds(provider, channel)
      case 'full_only':
        return t.full_only(provider, channel, money(Number(broken.amount)))
      case 'max_refunds':
        return t.max_refunds(provider, channel, broken.max)
      case 'window':
        return t.window(provider, channel, broken.days, exactTime(broken.endedAt.toISOString()))
      case 'hours':
        return t.hours(provider, channel, broken.from, broken.to, exactTime(broken.opensAt.toISOString()))
      case 'min_amount':
        return t.min_amount(provider, channel, money(Number(broken.min)))
      case 'whole_rupiah':
        return t.whole_rupiah(provider)
    }
  }
}
