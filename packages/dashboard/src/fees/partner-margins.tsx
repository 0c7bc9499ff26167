import { Text, Title } from '@mantine/core'
import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { StatementTable } from './statement-table.tsx'

const text = words({
  en: {
    title: 'Margins from clients’ fees',
    label: 'Margins by client, method and channel',
    total: 'Margin',
    none: 'No margins were earned in this month.',
    before: 'Not yet credited when the month began',
    earned: 'Earned in this month',
    credited: (count: string) => `Credited to the balance (entries: ${count})`,
    after: 'Not yet credited when the month ended',
    note: 'A margin is what the client paid minus the operator’s fee, both including tax. Margins are credited in batches, so a margin earned at the end of a month can be credited in the next month. For each month, the margins credited equal the margins not yet credited at the start, plus the margins earned, minus the margins not yet credited at the end.',
  },
  id: {
    title: 'Margin dari biaya klien',
    label: 'Margin per klien, metode, dan kanal',
    total: 'Margin',
    none: 'Tidak ada margin pada bulan ini.',
    before: 'Belum dikreditkan pada awal bulan',
    earned: 'Diperoleh pada bulan ini',
    credited: (count: string) => `Dikreditkan ke saldo (mutasi: ${count})`,
    after: 'Belum dikreditkan pada akhir bulan',
    note: 'Margin adalah biaya yang dibayar klien dikurangi biaya operator, keduanya termasuk pajak. Margin dikreditkan secara berkala, sehingga margin dari akhir bulan dapat dikreditkan pada bulan berikutnya. Dua jumlah berikut selalu sama. Jumlah pertama adalah margin yang belum dikreditkan pada awal bulan ditambah margin yang diperoleh pada bulan ini. Jumlah kedua adalah margin yang dikreditkan ditambah margin yang belum dikreditkan pada akhir bulan.',
  },
})

type Margins = NonNullable<Outputs['feeReports']['ownStatement']['margins']>

/** The part of a Partner's monthly statement with the margins from its Clients' fees. */
export function PartnerMargins({ margins }: { margins: Margins }) {
  const t = useWords(text)
  const format = useFormat()
  const money = (cents: number) => <span className="figures">{format.money(cents)}</span>
  return (
    <>
      <Title order={3} size="h5" mt="lg">
        {t.title}
      </Title>
      {margins.items.length === 0 ? (
        <Text size="sm" mt="md">
          {t.none}
        </Text>
      ) : (
        <StatementTable label={t.label} total={t.total} items={margins.items} sums={margins} />
      )}
      <Facts
        items={[
          [t.before, money(margins.uncredited_before)],
          [t.earned, money(margins.total)],
          [t.credited(format.count(margins.credits)), money(margins.credited)],
          [t.after, money(margins.uncredited_after)],
        ]}
      />
      <Text size="xs" c="dimmed" mt="md">
        {t.note}
      </Text>
    </>
  )
}
