import { Anchor, Code, Stack, Text } from '@mantine/core'
import { legible } from '../format/legible.ts'
import { useWords, words } from '../language/language.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import classes from './attempts.module.css'
import type { WholeDelivery } from './delivery-words.ts'

const text = words({
  en: {
    title: 'Request',
    headers: 'Every attempt has these headers and its own signatures:',
    signatures: 'How to verify the signatures',
    body: 'The request body below is formatted for reading. The signature covers the unformatted body:',
  },
  id: {
    title: 'Permintaan',
    headers: 'Header setiap percobaan, selain tanda tangannya:',
    signatures: 'Cara memverifikasi tanda tangan',
    body: 'Isi, diformat agar mudah dibaca. Tanda tangan mencakup teks persis seperti yang dikirim:',
  },
})

export function SentRequest({ of: delivery }: { of: WholeDelivery }) {
  const t = useWords(text)
  const mono = (value: string) => <span className="mono">{value}</span>
  return (
    <Panel title={t.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.headers}
        </Text>
        <Facts
          items={[
            ['Content-Type', mono('application/json')],
            ['X-Service-Event-Id', mono(delivery.id)],
            ['X-Service-Event-Type', mono(delivery.type)],
            ['webhook-id', mono(delivery.id)],
          ]}
        />
        <Anchor href="/docs/webhooks" size="sm">
          {t.signatures}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t.body}
        </Text>
        <Code block className={classes.body} tabIndex={0}>
          {legible(delivery.body)}
        </Code>
      </Stack>
    </Panel>
  )
}
