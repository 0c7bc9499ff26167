import { Code, Group, Stack, Text } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { legible } from '../format/legible.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Tag } from '../parts/tag.tsx'
import classes from './attempts.module.css'
import type { Attempt, Delivery } from './delivery-words.ts'

const text = words({
  en: {
    title: 'Attempts',
    number: (number: number) => `Attempt ${number}`,
    answered: (status: number) => `Response ${status}`,
    unanswered: 'No response',
    body: 'Response of your server',
    noBody: 'The response was empty.',
    headers: 'Response headers',
    signatures: 'Signatures that were sent',
    none: {
      pending: 'The first delivery attempt will start in a moment.',
      not_configured:
        'No callback URL was set when this event occurred. Set a callback URL, then redeliver the event.',
      delivered: '',
      permanently_failed: '',
    },
  },
  id: {
    title: 'Percobaan',
    number: (number: number) => `Percobaan ke-${number}`,
    answered: (status: number) => `Respons ${status}`,
    unanswered: 'Tidak ada respons',
    body: 'Respons server Anda',
    noBody: 'Respons kosong.',
    headers: 'Header respons',
    signatures: 'Tanda tangan yang dikirim',
    none: {
      pending: 'Percobaan pertama segera dilakukan.',
      not_configured:
        'URL callback belum diatur saat event terjadi. Atur URL callback, lalu kirim ulang event ini.',
      delivered: '',
      permanently_failed: '',
    },
  },
})

/** Lists the delivery attempts, newest first, because users usually look for the most recent one. */
export function Attempts({ of: { attempts, status } }: { of: Delivery }) {
  const t = useWords(text)
  return (
    <Panel title={t.title}>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.none[status]}
        </Text>
      ) : (
        <ol className={classes.attempts} reversed>
          {attempts.toReversed().map(attempt => (
            <li key={attempt.number}>
              <OneAttempt of={attempt} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function OneAttempt({ of: attempt }: { of: Attempt }) {
  const t = useWords(text)
  const format = useFormat()
  const { response_status: status, response_body: body, error } = attempt
  const isTaken = status !== null && status >= 200 && status < 300 && error === null
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text fw={600} size="sm">
          {t.number(attempt.number)}
        </Text>
        <Tag tone={isTaken ? 'good' : 'bad'}>{status === null ? t.unanswered : t.answered(status)}</Tag>
        <Text size="sm" c="dimmed" component="span">
          <Moment at={attempt.started_at} /> · {format.count(attempt.duration_ms)} ms
        </Text>
      </Group>
      {error !== null && <Text size="sm">{error}</Text>}
      {status !== null && (
        <Text size="sm" c="dimmed">
          {body ? t.body : t.noBody}
        </Text>
      )}
      {body && (
        <Code block className={classes.body} tabIndex={0}>
          {legible(body)}
        </Code>
      )}
      <Headers title={t.headers} of={attempt.response_headers} />
      <Headers title={t.signatures} of={attempt.sent_signatures} />
    </Stack>
  )
}

/** Shows the stored headers of a delivery attempt, initially collapsed. Renders nothing if no headers were stored. */
function Headers({ title, of: headers }: { title: string; of: Record<string, string> | null }) {
  if (headers === null || Object.keys(headers).length === 0) return null
  return (
    <details>
      <summary className={classes.summary}>{title}</summary>
      <Code block className={classes.body} tabIndex={0} mt="xs">
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </Code>
    </details>
  )
}
