import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActRow } from './act-row.tsx'
import { Dialog } from './dialog.tsx'

type Given = {
  isOpen: boolean
  close: () => void
  title: string
  /** The dialog's text. It explains what will happen and what cannot be undone. */
  children: ReactNode
  /** The label of the action button, which names the action. */
  act: string
  isActing: boolean
  onAct: () => void
  isGrave?: boolean
}

export function Confirm({ isOpen, close, title, children, ...row }: Given) {
  return (
    <Dialog opened={isOpen} onClose={close} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ActRow back={close} {...row} />
      </Stack>
    </Dialog>
  )
}
