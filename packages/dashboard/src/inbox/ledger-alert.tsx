import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    title: (count: string) => `The ledger contradicts itself: ${count}`,
    about:
      'An entry, a balance or a payment is not what it was when it was recorded. Pay nothing out on the word of these balances until you know why. On the server, gapura-server verify-ledger names all differences.',
  },
  id: {
    title: (count: string) => `Buku besar saling bertentangan: ${count}`,
    about:
      'Ada catatan, saldo, atau pembayaran yang tidak lagi sama dengan saat dicatat. Jangan mencairkan dana berdasarkan saldo ini sebelum penyebabnya diketahui. Di server, gapura-server verify-ledger menyebutkan semua perbedaan.',
  },
})

const SHOWN = 5

/** count: undefined if nothing differs. */
export function LedgerAlert({ count }: { count: string | undefined }) {
  const t = useWords(text)
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
            </code>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
