import { Button, Group, type GroupProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'
import classes from './filters.module.css'

const text = words({
  en: { filters: 'Filters', active: (count: number) => `Filters (${count})` },
  id: { filters: 'Filter', active: (count: number) => `Filter (${count})` },
})

type Given = GroupProps & {
  /** The search input, which is always visible. */
  search?: ReactNode
  /** The number of active filters. */
  active: number
  children: ReactNode
}

/** A list's filters. On a phone, the filters are collapsed, so that the list is visible without scrolling. */
export function Filters({ search, active, children, ...group }: Given) {
  const t = useWords(text)
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <Group gap="sm" align="flex-end" role="search" className={classes.filters} data-open={isOpen} {...group}>
      {search}
      <Button
        variant="default"
        className={classes.toggle}
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {active === 0 ? t.filters : t.active(active)}
      </Button>
      <div className={classes.more}>{children}</div>
    </Group>
  )
}
