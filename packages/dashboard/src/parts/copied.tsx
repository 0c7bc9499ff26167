import { ActionIcon, Code, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: { copy: (what: string) => `Copy ${what}`, copied: 'Copied' },
  id: { copy: (what: string) => `Salin ${what}`, copied: 'Disalin' },
})

type Given = {
  value: string
  /** The name of the value, used in the label of the copy button. */
  what: string
  /** The text to show instead of the value, if the value should not be fully visible. */
  masked?: string
  /**
   * The content to show instead of the value, such as a formatted amount. If it is not set, the value is shown as code.
   */
  shown?: ReactNode
  isBlock?: boolean
}

/** Shows a value with a button that copies it. */
export function Copied({ value, what, masked = value, shown, isBlock = false }: Given) {
  const t = useWords(text)
  return (
    <Group gap={6} wrap="nowrap" w={isBlock ? '100%' : undefined}>
      {shown ?? (
        <Code block={isBlock} flex={isBlock ? 1 : undefined} fz={isBlock ? 'sm' : undefined} style={wrapped}>
          {masked}
        </Code>
      )}
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            onClick={copy}
            aria-label={copied ? t.copied : t.copy(what)}
            title={copied ? t.copied : t.copy(what)}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}

const wrapped = { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' } as const
