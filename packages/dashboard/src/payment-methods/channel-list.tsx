import { useFormat } from '../format/format.ts'
import { useLanguage, useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Tag } from '../parts/tag.tsx'
import { methodWords } from '../payments/payment-words.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { TwoLines } from '../table/two-lines.tsx'
import { useNameOf } from './channel-name.ts'
import { durationIn } from './duration.ts'
import type { Channel, Method } from './methods.ts'

const text = words({
  en: {
    channel: { virtual_account: 'Bank', qris: 'Channel', e_wallet: 'E-wallet', over_the_counter: 'Store' },
    amount: 'Amount of a payment',
    any: 'Any amount',
    from: (min: string) => `From ${min}`,
    upTo: (max: string) => `Up to ${max}`,
    phone: 'Needs a mobile number',
    expiry: 'Time limit',
    atLeast: (min: string) => `at least ${min}`,
    status: 'Status',
    available: 'Available',
    unavailable: 'Unavailable',
  },
  id: {
    channel: {
      virtual_account: 'Bank',
      qris: 'Kanal',
      e_wallet: 'Dompet digital',
      over_the_counter: 'Gerai',
    },
    amount: 'Jumlah pembayaran',
    any: 'Jumlah berapa pun',
    from: (min: string) => `Mulai ${min}`,
    upTo: (max: string) => `Hingga ${max}`,
    phone: 'Perlu nomor ponsel',
    expiry: 'Batas waktu',
    atLeast: (min: string) => `minimal ${min}`,
    status: 'Status',
    available: 'Tersedia',
    unavailable: 'Tidak tersedia',
  },
})

/**
 * The smallest possible minimum amount: one rupiah, in cents. A channel with this minimum accepts every
 * amount up to its maximum.
 */
const SMALLEST_CENTS = 100

/**
 * Removes the currency from a formatted amount. An amount range shows the currency only once, because it must fit on a
 * phone screen.
 */
const withoutCurrency = (amount: string): string => amount.replace(/^\D+/, '')

/** Lists a payment method's channels, with their payment amount limits. */
export function ChannelList({ method: { type, channels } }: { method: Method }) {
  const names = useWords(methodWords)
  return (
    <Panel title={names[type]} isFlush>
      <DataTable
        label={names[type]}
        columns={useColumns(type)}
        rows={channels}
        rowKey={({ code }) => code}
        empty={null}
      />
    </Panel>
  )
}

function useColumns(type: Method['type']): Column<Channel>[] {
  const t = useWords(text)
  const nameOf = useNameOf()
  const [language] = useLanguage()
  const { money } = useFormat()
  const amounts = ({ min_amount: min, max_amount: max }: Channel) => {
    const hasMinimum = min !== null && min > SMALLEST_CENTS
    if (max === null) return hasMinimum ? t.from(money(min)) : t.any
    return hasMinimum ? `${money(min)}–${withoutCurrency(money(max))}` : t.upTo(money(max))
  }
  const expiry = ({ min_expiry_minutes: min, max_expiry_minutes: max }: Channel) => (
    <TwoLines
      top={durationIn(language, max)}
      below={min > 1 && min < max && t.atLeast(durationIn(language, min))}
    />
  )
  const unavailable = <Tag tone="bad">{t.unavailable}</Tag>
  return [
    {
      id: 'channel',
      header: t.channel[type],
      share: 2.2,
      cell: channel => (
        <>
          <TwoLines top={nameOf(channel)} below={channel.needs_mobile_number && t.phone} />
          <OnPhone>{channel.is_available ? amounts(channel) : unavailable}</OnPhone>
        </>
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.8,
      align: 'end',
      hidden: 'phone',
      cell: channel => <span className="figures">{amounts(channel)}</span>,
    },
    { id: 'expiry', header: t.expiry, align: 'end', cell: expiry },
    {
      id: 'status',
      header: t.status,
      share: 1.2,
      align: 'end',
      hidden: 'phone',
      cell: ({ is_available }) => (is_available ? <Tag tone="good">{t.available}</Tag> : unavailable),
    },
  ]
}
