import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import type { Sorting } from './order.ts'
import classes from './sort-button.module.css'

const text = words({
  en: { newest: 'Newest first', oldest: 'Oldest first' },
  id: { newest: 'Terbaru lebih dulu', oldest: 'Terlama lebih dulu' },
})

/** The header of the time column. Clicking it reverses the sort order. */
export function SortButton({ header, sorting: { order, setOrder } }: { header: string; sorting: Sorting }) {
  const t = useWords(text)
  const Arrow = order === 'newest' ? IconArrowDown : IconArrowUp
  return (
    <UnstyledButton
      className={classes.button}
      title={t[order]}
      onClick={() => setOrder(order === 'newest' ? 'oldest' : 'newest')}
    >
      {header}
      <Arrow size={14} aria-hidden />
    </UnstyledButton>
  )
}
