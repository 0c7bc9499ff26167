import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    title: (count: string) => `Ledger verification found differences: ${count}`,
    about:
      'A ledger entry, a balance or a payment has changed since it was recorded. Do not pay out money based on these balances until you know the cause. For the full list, run gapura-server verify-ledger on the server.',
    found: (at: string) => `found ${at}`,
  },
  id: {
    title: (count: string) => `Verifikasi buku besar menemukan selisih: ${count}`,
    about:
      'Ada mutasi buku besar, saldo, atau pembayaran yang berubah setelah dicatat. Jangan mencairkan dana berdasarkan saldo ini sebelum penyebabnya diketahui. Untuk daftar lengkap, jalankan gapura-server verify-ledger di server.',
    found: (at: string) => `ditemukan ${at}`,
  },
})

const SHOWN = 5

/**
 * Shows a warning if the ledger verification found differences. `count` is the number of differences, or undefined if
 * there are none.
 */
export function LedgerAlert({ count }: { count: string | undefined }) {
  const t = useWords(text)
  const format = useFormat()
  const { data } = useQuery(trpc.ledgerVerification.get.queryOptions({}))
  if (!count || !data) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t.title(count)} mb="md">
      {t.about}
      <List size="sm" mt="xs">
        {data.differences.slice(0, SHOWN).map(({ kind, facts, found_at }) => (
          <List.Item key={`${kind} ${found_at} ${Object.values(facts).join()}`}>
            <code>
              {kind.replaceAll('_', ' ')}:{' '}
              {Object.entries(facts)
                .map(([name, value]) => `${name} ${value ?? '–'}`)
                .join(', ')}
            </code>{' '}
            ({t.found(format.exactTime(found_at))})
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
