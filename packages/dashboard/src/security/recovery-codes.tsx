import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Dialog } from '../parts/dialog.tsx'

const text = words({
  en: {
    title: 'Your recovery codes',
    once: 'Store these codes in a safe place, apart from your phone. They are shown only once. Each code replaces the second factor once.',
    what: 'the recovery codes',
    stored: 'I have saved the codes',
  },
  id: {
    title: 'Kode pemulihan Anda',
    once: 'Simpan kode ini di tempat aman, terpisah dari ponsel Anda. Kode hanya ditampilkan satu kali. Setiap kode menggantikan faktor kedua satu kali.',
    what: 'kode pemulihan',
    stored: 'Kode sudah saya simpan',
  },
})

export default function RecoveryCodes({ codes, close }: { codes: string[]; close: () => void }) {
  const t = useWords(text)
  return (
    <Dialog isKept title={t.title} onClose={close}>
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />}>
          {t.once}
        </Alert>
        <Copied value={codes.join('\n')} what={t.what} isBlock />
        <Group justify="flex-end">
          <Button onClick={close}>{t.stored}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
