import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { useProviderName } from '../payments/provider-name.ts'
import { useMode } from '../shell/mode.ts'

const text = words({
  en: {
    title: 'Some payments could not be checked',
    about:
      'The provider returned no status for these payments, so they were compared only with the ledger. If the provider offers no status inquiry, upload its settlement file under Reconciliation.',
    untold: 'no status inquiry',
    retried: 'checked again every hour for a week',
  },
  id: {
    title: 'Sebagian pembayaran tidak dapat diperiksa',
    about:
      'Penyedia tidak memberikan status pembayaran berikut, sehingga pembayaran hanya dicocokkan dengan buku besar. Jika penyedia tidak menyediakan pengecekan status, unggah berkas settlement-nya di Rekonsiliasi.',
    untold: 'tanpa pengecekan status',
    retried: 'dicoba ulang setiap jam selama seminggu',
  },
})

/** The number of recent reconciliation runs that the alert covers: one week of daily runs. */
const RUNS = 7

/**
 * Lists the provider accounts whose payments could not be checked by recent reconciliation runs. Renders
 * nothing if all payments were checked.
 */
export function RunAlert() {
  const t = useWords(text)
  const format = useFormat()
  const providerName = useProviderName()
  const [mode] = useMode()
  const { data } = useQuery(trpc.reconciliation.listRuns.queryOptions({ mode, limit: RUNS }))
  const unchecked = (data?.items ?? []).flatMap(run =>
    run.not_checked.map(account => ({
      ...account,
      ...run,
      isRetried: account.retried && run.retry_at !== null,
    })),
  )
  if (unchecked.length === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title={t.title}>
      {t.about}
      <List size="sm" mt="xs">
        {unchecked.map(({ id, date, provider, provider_account_id, payments, isRetried, retried }) => (
          <List.Item key={`${id} ${provider_account_id}`}>
            {date}, {provider ? providerName(provider) : provider_account_id}: {format.count(payments)}
            {isRetried ? `; ${t.retried}` : retried ? '' : `; ${t.untold}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
