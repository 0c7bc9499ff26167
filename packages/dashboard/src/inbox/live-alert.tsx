import { Alert } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { useInboxCounts } from './inbox-counts.ts'

const text = words({
  en: {
    title: (count: string) => `Items that wait for a decision in live mode: ${count}`,
    open: 'Open the live inbox',
  },
  id: { title: (count: string) => `Menunggu di mode live: ${count}`, open: 'Buka kotak masuk live' },
})

/**
 * In test mode, shows how many live-mode items wait for a decision. Without this alert, the Owner (the service's
 * operator) could miss decisions about real money.
 */
export function LiveAlert() {
  const t = useWords(text)
  const { all } = useInboxCounts('live')
  return (
    all && (
      <Alert color="orange" icon={<IconInbox />} title={t.title(all)}>
        <TextLink to="/inbox" search={{ mode: 'live' }} inherit c="inherit" underline="always">
          {t.open}
        </TextLink>
      </Alert>
    )
  )
}
