import '@mantine/notifications/styles.css'
import { MantineThemeProvider, Notification } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { close: 'Close' }, id: { close: 'Tutup' } })

/** Shows notifications at the top of the page, where they do not cover form buttons. */
export default function Notices() {
  const { close } = useWords(text)
  const theme = useMemo(
    () => ({
      components: {
        Notification: Notification.extend({
          defaultProps: { closeButtonProps: { 'aria-label': close } },
          styles: { description: { color: 'var(--mantine-color-dimmed)' } },
        }),
      },
    }),
    [close],
  )
  return (
    <MantineThemeProvider theme={theme}>
      <Notifications position="top-center" />
    </MantineThemeProvider>
  )
}
