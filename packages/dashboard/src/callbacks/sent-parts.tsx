import { Code, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { legible } from '../format/legible.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import type { Callback, Rejected } from './callback-words.ts'

const text = words({
  en: {
    body: 'Body',
    headers: 'Headers',
    empty: 'The body is empty.',
    truncated: 'Only the first 16 KiB of the callback’s body is shown.',
    base64: 'The callback’s body is not text, so it is shown in Base64.',
  },
  id: {
    body: 'Isi',
    headers: 'Header',
    empty: 'Isi kosong.',
    truncated: 'Hanya 16 KiB pertama dari isi callback yang ditampilkan.',
    base64: 'Isi callback bukan teks, sehingga ditampilkan dalam Base64.',
  },
})

type Sent = Pick<Callback | Rejected, 'headers' | 'body' | 'body_encoding' | 'body_truncated'>

/** Shows the request of a callback as the service received it. */
export function SentParts({ sent }: { sent: Sent }) {
  const t = useWords(text)
  const hint = [sent.body_encoding === 'base64' && t.base64, sent.body_truncated && t.truncated].filter(
    Boolean,
  )
  return (
    <Stack gap="xs">
      <Title order={2} size="h6">
        {t.body}
      </Title>
      {hint.length > 0 && (
        <Text size="sm" c="dimmed">
          {hint.join(' ')}
        </Text>
      )}
      {sent.body === '' ? (
        <Text size="sm" c="dimmed">
          {t.empty}
        </Text>
      ) : (
        <ScrollArea.Autosize mah={420} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t.body }}>
          <Code block>{legible(sent.body)}</Code>
        </ScrollArea.Autosize>
      )}
      <Title order={2} size="h6" mt="sm">
        {t.headers}
      </Title>
      <Facts items={Object.entries(sent.headers)} />
    </Stack>
  )
}
