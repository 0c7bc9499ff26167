import { List } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { refundableUntil } from './refund-rule.ts'
import type { RefundOffer } from './refund-words.ts'

const text = words({
  en: {
    until: (end: string, days: number) =>
      `You can refund this payment until ${end}, ${days} days after it was paid.`,
    noEnd: (provider: string) => `${provider} sets no time limit for refunds.`,
    full: 'Only the full amount can be refunded, in one refund.',
    most: (max: number) =>
      max === 1 ? 'Only one refund per payment.' : `At most ${max} refunds per payment.`,
    hours: (from: string, to: string) => `Refunds are possible only from ${from} to ${to} WIB.`,
    least: (min: string) => `At least ${min} per refund.`,
  },
  id: {
    until: (end: string, days: number) => `Dapat dilakukan sampai ${end}, ${days} hari setelah pembayaran.`,
    noEnd: (provider: string) => `${provider} tidak menetapkan batas waktu pengembalian dana.`,
    full: 'Hanya pengembalian dana penuh, dalam satu kali transaksi.',
    most: (max: number) => `Paling banyak ${max} pengembalian untuk satu pembayaran.`,
    hours: (from: string, to: string) => `Hanya antara pukul ${from} dan ${to} WIB.`,
    least: (min: string) => `Paling sedikit ${min} per pengembalian.`,
  },
})

export function RefundTerms({ offer }: { offer: RefundOffer }) {
  const t = useWords(text)
  const { money, time } = useFormat()
  const { terms, provider } = offer
  if (!terms) return null
  const until = refundableUntil(offer)
  return (
    <List size="sm" c="dimmed">
      <List.Item>
        {until && terms.window_days !== null
          ? t.until(`${time(until)} WIB`, terms.window_days)
          : t.noEnd(provider)}
      </List.Item>
      {terms.amounts === 'full' && <List.Item>{t.full}</List.Item>}
      {terms.max_refunds !== null && <List.Item>{t.most(terms.max_refunds)}</List.Item>}
      {terms.hours && <List.Item>{t.hours(terms.hours.from, terms.hours.to)}</List.Item>}
      {terms.min_amount !== null && <List.Item>{t.least(money(terms.min_amount))}</List.Item>}
    </List>
  )
}
