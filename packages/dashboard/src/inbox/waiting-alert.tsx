import { Alert, Group } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { useMode } from '../shell/mode.ts'
import { useInboxCounts } from './inbox-counts.ts'

const text = words({
  en: {
    title: 'Items that need your decision',
    money: (count: string) => `Unexpected money: ${count}`,
    challenged: (count: string) => `Challenged payments: ${count}`,
    unknown: (count: string) => `Unknown outcomes: ${count}`,
    refunds: (count: string) => `Refunds: ${count}`,
    differences: (count: string) => `Differences: ${count}`,
    unreadable: (count: string) => `Unreadable callbacks: ${count}`,
  },
  id: {
    title: 'Hal yang memerlukan keputusan Anda',
    money: (count: string) => `Dana tak terduga: ${count}`,
    challenged: (count: string) => `Pembayaran perlu ditinjau: ${count}`,
    unknown: (count: string) => `Hasil tidak diketahui: ${count}`,
    refunds: (count: string) => `Pengembalian dana: ${count}`,
    differences: (count: string) => `Selisih: ${count}`,
    unreadable: (count: string) => `Callback tidak terbaca: ${count}`,
  },
})

const tabs = ['money', 'challenged', 'unknown', 'refunds', 'differences'] as const

/**
 * Shows the Owner (the service's operator), on the overview page, how many items in the Inbox wait for a decision.
 */
export default function WaitingAlert() {
  const t = useWords(text)
  const [mode] = useMode()
  const counts = useInboxCounts(mode)
  if (!counts.all) return null
  return (
    <Alert color="orange" icon={<IconInbox />} title={t.title}>
      <Group gap="sm">
        {tabs.map(tab => {
          const count = counts[tab]
          return (
            count && (
              <TextLink
                key={tab}
                to="/inbox"
                search={tab === 'money' ? {} : { tab }}
                inherit
                c="inherit"
                underline="always"
              >
                {t[tab](count)}
              </TextLink>
            )
          )
        })}
        {counts.unreadable && (
          <TextLink to="/callbacks" search={{ status: 'unreadable' }} inherit c="inherit" underline="always">
            {t.unreadable(counts.unreadable)}
          </TextLink>
        )}
      </Group>
    </Alert>
  )
}
