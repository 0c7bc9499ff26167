import { Select } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { type MethodType, methodTypes, methodWords } from '../payments/payment-words.ts'
import { useOfferedChannels, withChosen } from './offered-channels.ts'

/**
 * The hypothetical payment whose route or fee is previewed. The amount is in cents, or null while its field is
 * empty.
 */
export type SamplePayment = { method_type: MethodType; channel: string; amount: number | null }

const text = words({
  en: { method: 'Method', channel: 'Channel', amount: 'Amount' },
  id: { method: 'Metode', channel: 'Kanal', amount: 'Jumlah' },
})

type Given = { payment: SamplePayment; onChange: (payment: SamplePayment) => void }

export function SamplePaymentFields({ payment, onChange }: Given) {
  const t = useWords(text)
  const methods = useWords(methodWords)
  const channelsOf = useOfferedChannels()
  const { method_type, channel, amount } = payment
  return (
    <>
      <Select
        label={t.method}
        allowDeselect={false}
        data={methodTypes.map(value => ({ value, label: methods[value] }))}
        value={method_type}
        onChange={chosen => {
          if (!chosen) return
          const first = channelsOf(null, chosen)[0]?.value ?? (chosen === 'qris' ? 'qris' : '')
          onChange({ ...payment, method_type: chosen as MethodType, channel: first })
        }}
        w={180}
      />
      {method_type !== 'qris' && (
        <Select
          label={t.channel}
          allowDeselect={false}
          searchable
          data={withChosen(channelsOf(null, method_type), channel)}
          value={channel}
          onChange={chosen => chosen && onChange({ ...payment, channel: chosen })}
          w={150}
        />
      )}
      <RupiahInput
        label={t.amount}
        value={amount}
        onChange={changed => onChange({ ...payment, amount: changed })}
        w={180}
      />
    </>
  )
}
