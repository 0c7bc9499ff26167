import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'

const text = words({
  en: {
    title: 'Unreadable callbacks',
    about:
      'These callbacks are genuine, but this version of Gapura cannot read them. Gapura has checked their payments at the provider instead. Upgrade Gapura, then reprocess the callbacks.',
    see: (count: string) => `View unreadable callbacks: ${count}`,
  },
  id: {
    title: 'Callback tidak terbaca',
    about:
      'Callback ini asli, tetapi tidak dapat dibaca oleh versi Gapura ini. Gapura sudah memeriksa pembayarannya di penyedia. Perbarui Gapura, lalu proses ulang callback ini.',
    see: (count: string) => `Lihat callback tidak terbaca: ${count}`,
  },
})

/**
 * Warns the user about callbacks that were verified, but that this version of the service cannot parse. The parameter
 * `count` is the number of these callbacks. If there are none, `count` is undefined, and no warning is shown.
 */
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
