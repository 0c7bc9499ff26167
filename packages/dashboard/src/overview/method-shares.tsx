import { Skeleton, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { methodWords } from '../payments/payment-words.ts'
import { figuresBy, netOf, type Row, successRate } from './figures.ts'
import classes from './method-shares.module.css'

const text = words({
  en: {
    title: 'By payment method',
    none: 'No payments in this period.',
    count: (count: number, written: string) => (count === 1 ? '1 payment' : `${written} payments`),
    success: (rate: string) => `${rate} successful`,
  },
  id: {
    title: 'Per metode pembayaran',
    none: 'Tidak ada pembayaran pada periode ini.',
    count: (_: number, written: string) => `${written} pembayaran`,
    success: (rate: string) => `${rate} berhasil`,
  },
})

export function MethodShares({ rows }: { rows: readonly Row[] | undefined }) {
  const t = useWords(text)
  const names = useWords(methodWords)
  const format = useFormat()
  const methods = rows && figuresBy(rows, 'method_type')
  const [largest] = methods ?? []
  const most = largest ? Math.max(netOf(largest.figures), 1) : 1
  return (
    <Panel title={t.title}>
      {!methods && <Skeleton height={160} mt="xs" radius="sm" />}
      {methods?.length === 0 && (
        <Text size="sm" c="dimmed" pt="xs">
          {t.none}
        </Text>
      )}
      <ul className={classes.methods}>
        {methods?.map(({ key, figures }) => {
          const rate = successRate(figures)
          return (
            <li key={key}>
              <div className={classes.line}>
                <span>{names[key]}</span>
                <strong className="figures">{format.money(netOf(figures))}</strong>
              </div>
              <div className={classes.track}>
                <div
                  className={classes.bar}
                  style={{ width: `${(100 * Math.max(netOf(figures), 0)) / most}%` }}
                />
              </div>
              <Text size="xs" c="dimmed" className="figures">
                {t.count(figures.count, format.count(figures.count))}
                {rate !== undefined && ` · ${t.success(format.percent(rate))}`}
              </Text>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
