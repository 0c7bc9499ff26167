import { ActionIcon } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'

/** The command bar is loaded lazily, when the user opens it for the first time. */
const CommandBar = lazy(() => import('./command-bar.tsx'))

const text = words({ en: { search: 'Search (Ctrl K)' }, id: { search: 'Cari (Ctrl K)' } })

export function CommandButton() {
  const t = useWords(text)
  const [isOpen, { open, close, toggle }] = useDisclosure()
  // The empty list of ignored elements lets the shortcut also work while the user types in an input.
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
