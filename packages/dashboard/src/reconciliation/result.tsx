import type { UseQueryResult } from '@tanstack/react-query'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { Differences } from './differences.tsx'
import { Progress } from './progress.tsx'
import { nothingTold, type Summary, type Told } from './reconciliation.ts'
import { Sums } from './sums.tsx'
import { Verdict } from './verdict.tsx'

const text = words({
  en: {
    none: 'Nothing to compare on this day',
    how: 'On this day, no payment was paid, nothing was credited, and no settlement lists a payment. Choose another day.',
  },
  id: {
    none: 'Tidak ada yang perlu dicocokkan pada tanggal ini',
    how: 'Pada tanggal ini tidak ada pembayaran yang lunas, tidak ada yang dikreditkan, dan tidak ada settlement yang memuat pembayaran. Pilih tanggal lain.',
  },
})

export function Result({ of }: { of: UseQueryResult<Told> }) {
  const t = useWords(text)
  const { data = nothingTold, error, isFetching, refetch } = of
  const { summary, differences, progress } = data
  if (error) return <Failure error={error} retry={() => void refetch()} />
  if (summary && isEmpty(summary))
    return (
      <Panel>
        <Empty title={t.none}>{t.how}</Empty>
      </Panel>
    )
  return (
    <>
      {isFetching && !summary && <Progress of={progress} />}
      {summary && <Verdict of={summary} />}
      {summary && <Sums of={summary.items} />}
      {differences.length > 0 && <Differences of={differences} />}
    </>
  )
}

const isEmpty = ({ items, compared }: Summary): boolean =>
  items.length === 0 && Object.values(compared).every(count => count === 0)
