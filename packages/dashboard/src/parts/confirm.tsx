import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from './dialog.tsx'

const text = words({ en: { back: 'Back' }, id: { back: 'Kembali' } })

type Given = {
  isOpen: boolean
  close: () => void
  title: string
  /** What will happen, and what can not be undone. */
  children: ReactNode
  /** The button's word: what is done. */
  act: string
  isActing: boolean
  onAct: () => void
  isGrave?: boolean
}

export function Confirm({ isOpen, close, title, children, act, isActing, onAct, isGrave = false }: Given) {
  const t = useWords(text)
  return (
    <Dialog opened={isOpen} onClose={close} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.back}
          </Button>
          <Button color={isGrave ? 'red.8' : 'gapura'} loading={isActing} onClick={onAct}>
            {act}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
