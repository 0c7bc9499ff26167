import { ActionIcon } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'

const CommandBar = lazy(() => import('./command-bar.tsx'))

const text = words({ en: { search: 'Search (Ctrl K)' }, id: { search: 'Cari (Ctrl K)' } })

export function CommandButton() {
  const t = useWords(text)
  const [isOpen, { open, close, toggle }] = useDisclosure()
  // The second argument is the list of elements in which the shortcut is ignored. The list is empty, so the
  // shortcut also works while the user types in an input.
  useHotkeys([['mod+K', toggle]], [])
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.search}
        aria-keyshortcuts="Control+K Meta+K"
        title={t.search}
        onClick={open}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <Suspense>{isOpen && <CommandBar close={close} />}</Suspense>
    </>
  )
}
