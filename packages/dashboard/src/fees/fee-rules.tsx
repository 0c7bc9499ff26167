import { Table, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { useNameOfChannel } from '../payments/name-of-channel.ts'
import { methodWords } from '../payments/payment-words.ts'
import { type FeeRule, useRuleFormula } from './fee-formula.ts'

const text = words({
  en: {
    payments: 'Payments',
    fee: 'Fee',
    all: 'All payments',
    free: 'This schedule charges no fees.',
    label: 'Fees by method and channel',
  },
  id: {
    payments: 'Pembayaran',
    fee: 'Biaya',
    all: 'Semua pembayaran',
    free: 'Daftar biaya ini tidak mengenakan biaya.',
    label: 'Biaya per metode dan kanal',
  },
})

export function FeeRules({ rules }: { rules: readonly FeeRule[] }) {
  const t = useWords(text)
  const formula = useRuleFormula()
  const methods = useWords(methodWords)
  const channelName = useNameOfChannel()
  const nameOf = ({ method_type, channel }: FeeRule): string =>
    [method_type && methods[method_type], channel && channelName(channel)].filter(Boolean).join(' · ') ||
    t.all
  if (rules.length === 0)
    return (
      <Text size="sm" c="dimmed" pt="xs">
        {t.free}
      </Text>
    )
  return (
    <Table aria-label={t.label} mt="xs" verticalSpacing="xs" horizontalSpacing={0} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="40%">{t.payments}</Table.Th>
          <Table.Th>{t.fee}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rules.map(rule => (
          <Table.Tr key={`${rule.method_type}/${rule.channel}`}>
            <Table.Td>{nameOf(rule)}</Table.Td>
            <Table.Td className="figures">{formula(rule)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
