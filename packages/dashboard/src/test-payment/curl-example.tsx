import { Accordion, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { curlOf } from './curl.ts'

const text = words({
  en: {
    title: 'The same by the API',
    how: 'What your server would send. Put a test key in, and a key of its own for each order.',
    command: 'the command',
  },
  id: {
    title: 'Hal yang sama melalui API',
    how: 'Permintaan yang dikirim server Anda. Isi dengan kunci uji, dan kunci idempotensi tersendiri untuk setiap pesanan.',
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
