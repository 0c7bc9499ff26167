import { Group, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { DayInput } from '../parts/day-input.tsx'
import { isChosen, type Period, spanOf, spans } from './period.ts'

const text = words({
  en: {
    period: 'Period',
    days: (days: number) => `${days} days`,
    chosen: 'Custom',
    from: 'From',
    to: 'To',
  },
  id: {
    period: 'Periode',
    days: (days: number) => `${days} hari`,
    chosen: 'Tanggal',
    from: 'Dari',
    to: 'Sampai',
  },
})

const CHOSEN = 'chosen'

export function PeriodPicker({ period, today }: { period: Period; today: string }) {
  const t = useWords(text)
  const search = useSearch({ from: '/inside/' })
  const navigate = useNavigate({ from: '/' })
  // The start and end dates as the user typed them, even if the start date is after the end date. The page
  // itself always uses the earlier date as the start date.
  const chosen = { from: search.from ?? period.from, to: search.to ?? period.to }
  const set = (search: { days: string } | Period) => void navigate({ search, replace: true })
  return (
    <Group gap="sm">
      {isChosen(search) && (
        <Group gap="xs">
          <DayInput
            size="xs"
            aria-label={t.from}
            value={chosen.from}
            max={today}
            onDay={from => from && set({ ...chosen, from })}
          />
          <DayInput
            size="xs"
            aria-label={t.to}
            value={chosen.to}
            max={today}
            onDay={to => to && set({ ...chosen, to })}
          />
        </Group>
      )}
      <SegmentedControl
        size="xs"
        aria-label={t.period}
        value={isChosen(search) ? CHOSEN : String(spanOf(search))}
        onChange={value => set(value === CHOSEN ? period : { days: value })}
        data={[
          ...spans.map(days => ({ value: String(days), label: t.days(days) })),
          { value: CHOSEN, label: t.chosen },
        ]}
      />
    </Group>
  )
}
