import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { useAct } from '../parts/use-act.ts'
import { lastAttempt } from './delivery-words.ts'

const text = words({
  en: {
    send: 'Send test event',
    what: 'The test event is signed like any other webhook, but is not linked to a payment.',
    waiting: 'Sending to your server …',
    taken: (status: string, ms: string) => `Your server returned ${status} in ${ms} ms.`,
    refused: (status: string) => `Your server returned ${status}. Only 2xx counts as received.`,
    incomplete: (status: string, error: string) =>
      `Your server returned ${status}, but its response was incomplete: ${error}`,
    unanswered: (why: string) => `Your server did not respond: ${why}.`,
    again: (time: string) => `Next attempt: ${time}.`,
    details: 'View delivery',
  },
  id: {
    send: 'Kirim event uji coba',
    what: 'Event uji coba ditandatangani seperti webhook lain, tetapi tidak terkait dengan pembayaran.',
    waiting: 'Sedang dikirim ke server Anda …',
    taken: (status: string, ms: string) => `Server Anda merespons ${status} dalam ${ms} ms.`,
    refused: (status: string) => `Server Anda merespons ${status}. Hanya 2xx yang dianggap diterima.`,
    incomplete: (status: string, error: string) =>
      `Server Anda merespons ${status}, tetapi responsnya tidak lengkap: ${error}`,
    unanswered: (why: string) => `Server Anda tidak merespons: ${why}.`,
    again: (time: string) => `Percobaan berikutnya: ${time}.`,
    details: 'Lihat pengiriman',
  },
})

/**
 * The interval, in milliseconds, at which the page requests the result of a test webhook. The page polls in case
 * it misses a live update.
 */
const ASK_AGAIN_MS = 1_000

export function TestEvent() {
  const t = useWords(text)
  const sending = useAct({ mutationFn: () => client.webhooks.test.mutate({}) })
  return (
    <div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconSend size={16} />}
          loading={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {t.send}
        </Button>
        <Text size="sm" c="dimmed">
          {t.what}
        </Text>
      </Group>
      <div role="status">{sending.data && <Outcome key={sending.data.id} eventId={sending.data.id} />}</div>
    </div>
  )
}

function Outcome({ eventId }: { eventId: string }) {
  const t = useWords(text)
  const format = useFormat()
  const { data: delivery } = useQuery(
    trpc.webhooks.delivery.queryOptions(
      { event_id: eventId },
      { refetchInterval: ({ state }) => (state.data?.attempts.length ? false : ASK_AGAIN_MS) },
    ),
  )
  const attempt = delivery && lastAttempt(delivery)
  if (!attempt)
    return (
      <Group gap="sm" mt="sm">
        <Loader size="xs" />
        <Text size="sm">{t.waiting}</Text>
      </Group>
    )
  const { response_status: status, duration_ms, error } = attempt
  const isTaken = delivery.status === 'delivered'
  const said =
    status === null
      ? t.unanswered(error ?? '')
      : isTaken
        ? t.taken(String(status), format.count(duration_ms))
        : error === null
          ? t.refused(String(status))
          : t.incomplete(String(status), error)
  return (
    <Alert
      mt="sm"
      color={isTaken ? 'teal' : 'red'}
      icon={isTaken ? <IconCheck /> : <IconAlertCircle />}
      title={said}
    >
      <Group gap="sm">
        {delivery.next_attempt_at !== null && t.again(format.exactTime(delivery.next_attempt_at))}
        <TextLink to="/webhooks/$eventId" params={{ eventId }} size="sm">
          {t.details}
        </TextLink>
      </Group>
    </Alert>
  )
}
