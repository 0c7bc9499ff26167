import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    title: 'These settings were changed elsewhere',
    about:
      'Another user or window changed them while you were editing. Load the current settings before you save. This discards your own changes.',
    load: 'Load current settings',
  },
  id: {
    title: 'Pengaturan ini diubah di tempat lain',
    about:
      'Pengguna lain, atau Anda di jendela lain, mengubahnya saat Anda sedang mengeditnya. Muat pengaturan terbaru sebelum menyimpan. Perubahan Anda di sini akan hilang.',
    load: 'Muat pengaturan terbaru',
  },
})

/** Shown while a settings form cannot be saved because another user changed a field that the user has edited. */
export function ConflictNotice({ form }: { form: { hasConflict: boolean; discard: () => void } }) {
  const t = useWords(text)
  if (!form.hasConflict) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} role="alert" title={t.title} my="xs">
      <Stack gap="sm" align="flex-start">
        {t.about}
        <Button variant="default" size="xs" onClick={form.discard}>
          {t.load}
        </Button>
      </Stack>
    </Alert>
  )
}
