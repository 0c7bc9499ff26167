import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Figure } from '../parts/figure.tsx'
import { Failure } from '../parts/states.tsx'
import type { Mode } from '../shell/mode.ts'

const text = words({
  en: {
    held: (sum: string) =>
      `Includes ${sum} that is held until the operator has decided on refunds or chargebacks reported by a provider`,
  },
  id: {
    held: (sum: string) =>
      `Termasuk ${sum} yang ditahan untuk pengembalian dana dan chargeback yang dilaporkan penyedia, sampai operator memutuskan`,
  },
})

/**
 * Shows the tenant's balance in one mode (live or test). Also shows the part of the balance that is withheld for
 * reported refunds and chargebacks until the service's operator decides on them.
 */
export function Balance({ mode, largest }: { mode: Mode; largest?: string }) {
  const t = useWords(text)
  const format = useFormat()
  const { data, error, refetch } = useQuery(trpc.account.balance.queryOptions({ mode }))
  if (!data && error) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={largest ? 36 : 30} mt="xs" radius="sm" />
  return (
    <>
      <Figure {...(largest && { largest })}>{format.money(data.balance)}</Figure>
      {data.held > 0 && (
        <Text size="sm" c="dimmed">
          {t.held(format.money(data.held))}
        </Text>
      )}
    </>
  )
}
