import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { close: 'Close' }, id: { close: 'Tutup' } })

type Given = { isOpen: boolean; close: () => void; title: string | undefined; children: ReactNode }

/** A drawer that shows the details of one item beside the list. */
export function Sheet({ isOpen, close, title, children }: Given) {
  const t = useWords(text)
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {children}
    </Drawer>
  )
}
