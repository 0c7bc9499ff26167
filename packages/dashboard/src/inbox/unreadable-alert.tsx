import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'

const text = words({
  en: {
    title: 'Unreadable callbacks',
    about:
      'These callbacks are genuine, and this version cannot understand them. The provider was asked about their payments. Upgrade, and apply them again.',
    see: (count: string) => `See the unreadable callbacks: ${count}`,
  },
  id: {
    title: 'Callback tidak terbaca',
    about:
      'Callback ini asli, tetapi versi ini tidak memahaminya. Penyedia sudah ditanya tentang pembayarannya. Perbarui layanan, lalu proses ulang.',
    see: (count: string) => `Lihat callback yang tidak terbaca: ${count}`,
  },
})

/** count: undefined if there are none. */
export function UnreadableAlert({ count }: { count: string | undefined }) {
  const t = useWords(text)
  if (!count) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t.title} mb="md">
      {t.about}{' '}
      <TextLink to="/callbacks" search={{ status: 'unreadable' }} inherit>
        {t.see(count)}
      </TextLink>
    </Alert>
  )
}
