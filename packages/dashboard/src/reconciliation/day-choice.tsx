import { ActionIcon, Group, Select } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { dayIn } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { DayInput } from '../parts/day-input.tsx'
import { dayBeside } from './day.ts'
import type { Question } from './reconciliation.ts'
import { sources, sourceWords } from './reconciliation-words.ts'

const text = words({
  en: {
    day: 'Day (WIB)',
    before: 'Previous day',
    after: 'Next day',
    source: 'Compare with',
  },
  id: {
    day: 'Tanggal (WIB)',
    before: 'Hari sebelumnya',
    after: 'Hari berikutnya',
    source: 'Cocokkan dengan',
  },
})

type Given = {
  of: Question
  /**
   * If true, the user can also choose the source of the data with which payments are compared. On the settlements tab,
   * the value is false, because the user chooses only the day.
   */
  hasSource: boolean
}

export function DayChoice({ of: { date, source }, hasSource }: Given) {
  const t = useWords(text)
  const names = useWords(sourceWords)
  const navigate = useNavigate({ from: '/reconciliation' })
  const today = dayIn(new Date())
  const set = (changed: { date?: string; source?: string }) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true, resetScroll: false })
  return (
    <Group gap="sm" align="flex-end" role="search">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t.before}
        title={t.before}
        onClick={() => set({ date: dayBeside(date, -1) })}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <DayInput label={t.day} value={date} max={today} onDay={day => day && set({ date: day })} />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t.after}
        title={t.after}
        disabled={date >= today}
        onClick={() => set({ date: dayBeside(date, 1) })}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
      {hasSource && source && (
        <Select
          label={t.source}
          value={source}
          onChange={chosen => set({ source: chosen ?? undefined })}
          allowDeselect={false}
          data={sources.map(value => ({ value, label: names[value] }))}
          w={250}
        />
      )}
    </Group>
  )
}
