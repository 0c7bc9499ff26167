import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { modeWords } from '../shell/mode-words.ts'

const text = words({
  en: {
    title: 'Not all payments could be checked',
    about: 'The provider did not answer about these payments. They were compared with the ledger alone.',
    untold: 'the provider has no way to tell',
    retried: 'it is asked again every hour, for a week',
  },
  id: {
    title: 'Tidak semua pembayaran dapat diperiksa',
    about:
      'Penyedia tidak memberi jawaban tentang pembayaran ini. Pencocokan hanya dilakukan dengan buku besar.',
    untold: 'penyedia tidak dapat memberi keterangan',
    retried: 'ditanyakan lagi setiap jam selama seminggu',
  },
})

/** One week of daily runs, live and test. */
const RUNS = 14

/** Lists the accounts that recent runs could not check. Renders nothing if there are none. */
export function RunAlert() {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const format = useFormat()
  const providerName = useProviderName()
  const { data } = useQuery(trpc.reconciliation.listRuns.queryOptions({ limit: RUNS }))
  const unchecked = (data?.items ?? []).flatMap(run =>
    run.not_checked.map(account => ({
      ...account,
      ...run,
      isRetried: account.retried && run.retry_at !== null,
    })),
  )
  if (unchecked.length === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title={t.title} mb="md">
      {t.about}
      <List size="sm" mt="xs">
        {unchecked.map(({ id, date, mode, provider, provider_account_id, payments, isRetried, retried }) => (
          <List.Item key={`${id} ${provider_account_id}`}>
            {date} ({modes[mode]}), {provider ? providerName(provider) : provider_account_id}:{' '}
            {format.count(payments)}
            {isRetried ? `; ${t.retried}` : retried ? '' : `; ${t.untold}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
