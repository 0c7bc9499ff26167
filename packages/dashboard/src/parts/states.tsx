// Placeholders for content that is still loading, does not exist, or failed to load.

import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from './links.tsx'
import { useFaultWords } from './use-fault-words.ts'

const text = words({
  en: {
    loading: 'Loading',
    failed: 'This content could not be loaded',
    again: 'Try again',
    missing: 'Page not found',
    forbidden: 'Your role does not have access to this page',
    home: 'Go to overview',
  },
  id: {
    loading: 'Memuat',
    failed: 'Konten ini tidak dapat dimuat',
    again: 'Coba lagi',
    missing: 'Halaman tidak ditemukan',
    forbidden: 'Peran Anda tidak memiliki akses ke halaman ini',
    home: 'Buka ringkasan',
  },
})

export function Pending() {
  const t = useWords(text)
  return (
    <Center mih={240}>
      <Loader role="status" aria-label={t.loading} />
    </Center>
  )
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useWords(text)
  const inWords = useFaultWords()
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={t.failed} role="alert">
      <Stack gap="sm" align="flex-start">
        {inWords(error)}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t.again}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

export const Missing = () => <NoPage why="missing" />
export const Forbidden = () => <NoPage why="forbidden" />

function NoPage({ why }: { why: 'missing' | 'forbidden' }) {
  const t = useWords(text)
  return (
    <Stack align="center" py="xl">
      <title>{`${t[why]} · Gapura`}</title>
      <Title order={1} size="h3">
        {t[why]}
      </Title>
      <ButtonLink to="/" variant="light">
        {t.home}
      </ButtonLink>
    </Stack>
  )
}

/** The placeholder for an empty list. It explains what appears in the list and how to create the first item. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      <Group c="dimmed" fz="sm" maw={480} justify="center">
        {children}
      </Group>
    </Stack>
  )
}
