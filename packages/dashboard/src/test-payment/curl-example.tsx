import { Accordion, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { curlOf } from './curl.ts'

const text = words({
  en: {
    title: 'Create this payment with the API',
    how: 'Your server sends this request. Insert a test key, and use a new idempotency key for each order.',
    command: 'the command',
  },
  id: {
    title: 'Buat pembayaran ini melalui API',
    how: 'Ini permintaan yang dikirim server Anda. Isi dengan kunci uji coba, dan pakai kunci idempotensi baru untuk setiap pesanan.',
    command: 'perintah',
  },
})

export function CurlExample({ order }: { order: object }) {
  const t = useWords(text)
  return (
    <Accordion variant="contained" radius="md" bg="var(--raised)">
      <Accordion.Item value="curl">
        <Accordion.Control>{t.title}</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" mb="sm">
            {t.how}
          </Text>
          <Copied isBlock value={curlOf(window.location.origin, order)} what={t.command} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
