import { Group, Text } from '@mantine/core'
import type { Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { circuitTones, circuitWords } from '../provider-health/circuit-words.ts'
import classes from './account-order.module.css'
import { type KnownAccount, useAccountLabel } from './known-accounts.ts'

type Candidate = Outputs['routes']['preview']['items'][number]

const text = words({
  en: {
    none: 'No account can accept this payment',
    how: 'No enabled account offers this channel in this mode, so the payment would be rejected. Add an account that offers the channel.',
    first: 'Tried first',
    chance: (percent: string) => `Tried first for ${percent} of payments`,
    later: 'Fallback',
    chanceLater: (percent: string) => `Fallback: tried next for ${percent} of payments`,
    rule: (position: number, weight: number) => `Rule at position ${position}, weight ${weight}`,
    rank: (rank: number) => `No rule selects this account. It is number ${rank} in the account order`,
    refused: (why: string) => `Cannot accept this payment: ${why}`,
  },
  id: {
    none: 'Tidak ada akun yang menerima pembayaran ini',
    how: 'Tidak ada akun aktif yang menyediakan kanal ini dalam mode ini, sehingga pembayaran akan ditolak. Tambahkan akun yang menyediakan kanal ini.',
    first: 'Dicoba pertama',
    chance: (percent: string) => `Dicoba pertama untuk ${percent} pembayaran`,
    later: 'Cadangan',
    chanceLater: (percent: string) => `Cadangan: dicoba berikutnya untuk ${percent} pembayaran`,
    rule: (position: number, weight: number) => `Aturan posisi ${position}, bobot ${weight}`,
    rank: (rank: number) => `Tidak dipilih oleh aturan; nomor ${rank} dalam urutan akun`,
    refused: (why: string) => `Tidak dapat menerima pembayaran ini: ${why}`,
  },
})

/**
 * Formats the amounts in a message from the service as rupiah, for example in `amount: Midtrans accepts at least
 * 1000000 cents for BCA`.
 */
const inMoney = (refusal: string, money: (cents: number) => string) =>
  refusal.replace(/^\w+: /, '').replace(/(\d+) cents/g, (_, cents) => money(Number(cents)))

/**
 * Returns the provider account's rank among the accounts of its mode (live or test), as shown in the order editor. The
 * API ranks the accounts of both modes in one sequence, so the rank within a mode is computed here.
 */
function rankOf(accounts: readonly KnownAccount[], id: string): number {
  const mode = accounts.find(account => account.id === id)?.mode
  return accounts.filter(account => account.mode === mode).findIndex(account => account.id === id) + 1
}

type Given = { candidates: readonly Candidate[]; accounts: readonly KnownAccount[] }

export function RouteCandidates({ candidates, accounts }: Given) {
  const t = useWords(text)
  const circuits = useWords(circuitWords)
  const format = useFormat()
  const label = useAccountLabel()
  if (candidates.length === 0) return <Empty title={t.none}>{t.how}</Empty>
  const place = ({ place, chance }: Candidate) => {
    if (chance === 1) return place === 1 ? t.first : t.later
    return (place === 1 ? t.chance : t.chanceLater)(format.percent(chance))
  }
  return (
    <ol className={classes.list}>
      {candidates.map(candidate => (
        <li key={candidate.provider_account_id} className={classes.item}>
          <Text fw={600} c="dimmed" className="figures">
            {candidate.place}
          </Text>
          <div className={classes.name}>
            <Text size="sm" fw={600}>
              {label(
                accounts.find(({ id }) => id === candidate.provider_account_id) ?? {
                  ...candidate,
                  id: candidate.provider_account_id,
                },
              )}
            </Text>
            <Text size="xs" c="dimmed">
              {place(candidate)} ·{' '}
              {candidate.rule_position === null
                ? t.rank(rankOf(accounts, candidate.provider_account_id))
                : t.rule(candidate.rule_position, candidate.weight ?? 1)}
            </Text>
            {candidate.refusal && (
              <Text size="xs" c="var(--mantine-color-error)">
                {t.refused(inMoney(candidate.refusal, format.money))}
              </Text>
            )}
          </div>
          <Group gap="xs">
            <Tag tone={circuitTones[candidate.circuit]}>{circuits[candidate.circuit]}</Tag>
          </Group>
        </li>
      ))}
    </ol>
  )
}
