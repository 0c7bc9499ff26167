import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Figure } from '../parts/figure.tsx'
import { averagePaid, type Figures, netOf, successRate } from './figures.ts'
import classes from './overview-page.module.css'

const text = words({
  en: {
    title: 'Key figures',
    volume: 'Paid amount',
    volumeNote: 'Payments created in this period',
    net: 'Net amount',
    netNote: (paid: string, back: string) => `${paid} paid, ${back} refunded or reversed`,
    count: 'Payments',
    countNote: (paid: string) => `${paid} paid`,
    success: 'Success rate',
    successNote: 'Share of paid payments among all paid, failed, expired and cancelled payments',
    average: 'Average amount',
    averageNote: 'Per paid payment',
  },
  id: {
    title: 'Statistik utama',
    volume: 'Jumlah dibayar',
    volumeNote: 'Pembayaran yang dibuat pada periode ini',
    net: 'Jumlah bersih',
    netNote: (paid: string, back: string) => `${paid} dibayar, ${back} dikembalikan atau ditarik kembali`,
    count: 'Pembayaran',
    countNote: (paid: string) => `${paid} lunas`,
    success: 'Tingkat keberhasilan',
    successNote: 'Porsi pembayaran lunas di antara yang lunas, gagal, kedaluwarsa, atau dibatalkan',
    average: 'Jumlah rata-rata',
    averageNote: 'Per pembayaran lunas',
  },
})

/** A non-breaking space, used as a placeholder. It keeps the line's height while there is no text. */
const NOTHING = '\u00a0'

export function Headline({ figures }: { figures: Figures | undefined }) {
  const t = useWords(text)
  const format = useFormat()
  const rate = figures && successRate(figures)
  const returned = figures !== undefined && figures.refunded + figures.reversed > 0
  const average = figures && averagePaid(figures)
  return (
    <SimpleGrid
      component="section"
      aria-label={t.title}
      cols={{ base: 2, lg: 4 }}
      spacing={{ base: 'sm', md: 'lg' }}
    >
      <Told
        name={returned ? t.net : t.volume}
        note={
          returned
            ? t.netNote(format.money(figures.volume), format.money(figures.refunded + figures.reversed))
            : t.volumeNote
        }
        value={figures && format.money(netOf(figures))}
      />
      <Told
        name={t.count}
        note={figures ? t.countNote(format.count(figures.paid)) : NOTHING}
        value={figures && format.count(figures.count)}
      />
      <Told
        name={t.success}
        note={t.successNote}
        value={figures && (rate === undefined ? '–' : format.percent(rate))}
      />
      <Told
        name={t.average}
        note={t.averageNote}
        value={figures && (average === undefined ? '–' : format.money(average))}
      />
    </SimpleGrid>
  )
}

const Told = ({ name, value, note }: { name: string; value: string | undefined; note: string }) => (
  <Paper withBorder className={classes.figure}>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Figure>{value ?? '…'}</Figure>
    <Text size="xs" c="dimmed">
      {note}
    </Text>
  </Paper>
)
