import { Alert, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { Copied } from './copied.tsx'

const text = words({
  en: { once: 'Copy this value now. It is shown only once.' },
  id: { once: 'Salin nilai ini sekarang. Nilai ini hanya ditampilkan satu kali.' },
})

/** Shows a newly created secret that cannot be shown again. `what` is the secret's name. */
export function ShownOnce({ what, value }: { what: string; value: string }) {
  const t = useWords(text)
  return (
    <Alert icon={<IconKey />} title={what} role="status">
      <Stack gap="xs">
        <Text size="sm">{t.once}</Text>
        <Copied value={value} what={what} isBlock />
      </Stack>
    </Alert>
  )
}
