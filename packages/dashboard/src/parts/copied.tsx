import { ActionIcon, Code, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: { copy: (what: string) => `Copy ${what}`, copied: 'Copied' },
  id: { copy: (what: string) => `Salin ${what}`, copied: 'Disalin' },
})

type Given = {
  value: string
  /** Its name, for the button. */
  what: string
  /** In its place, where not all of it is for every eye. */
  shown?: string
  isBlock?: boolean
}

/** A value that people carry elsewhere. */
export function Copied({ value, what, shown = value, isBlock = false }: Given) {
  const t = useWords(text)
  return (
    <Group gap={6} wrap="nowrap" w={isBlock ? '100%' : undefined}>
      <Code block={isBlock} flex={isBlock ? 1 : undefined} fz={isBlock ? 'sm' : undefined} style={wrapped}>
        {shown}
      </Code>
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
