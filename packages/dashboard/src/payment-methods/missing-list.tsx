import { List, Stack, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { methodWords } from '../payments/payment-words.ts'
import { useAccount } from '../session/account.ts'
import type { Mode } from '../shell/mode.ts'
import { useNameOf } from './channel-name.ts'
import type { MissingMethod } from './methods.ts'

const text = words({
  en: {
    title: { live: 'Not active in live mode', test: 'Not active in test mode' },
    meaning:
      'Your customers cannot pay with the methods in this list, and the API rejects payments with them.',
    ask: {
      operator: 'Ask the operator to give you access to a provider account that offers these methods.',
      partner: 'Ask your partner to give you access to a provider account that offers these methods.',
    },
    only: {
      live: (channels: string) => `${channels} (active only in test mode)`,
      test: (channels: string) => `${channels} (active only in live mode)`,
    },
  },
  id: {
    title: { live: 'Belum aktif di mode live', test: 'Belum aktif di mode uji coba' },
    meaning: 'Pelanggan Anda tidak dapat membayar dengan metode ini, dan API menolak pembayarannya.',
    ask: {
      operator: 'Minta operator memberi Anda akses ke akun penyedia yang menawarkan metode ini.',
      partner: 'Minta mitra Anda memberi akses ke akun penyedia yang menawarkan metode ini.',
    },
    only: {
      live: (channels: string) => `${channels} (hanya aktif di mode uji coba)`,
      test: (channels: string) => `${channels} (hanya aktif di mode live)`,
    },
  },
})

/**
 * Lists the methods and channels that are unavailable to the merchant in this mode (live or test), and how to get
 * them.
 */
export function MissingList({ mode, missing }: { mode: Mode; missing: readonly MissingMethod[] }) {
  const t = useWords(text)
  const names = useWords(methodWords)
  const nameOf = useNameOf()
  const { parent_id } = useAccount()
  return (
    <Panel title={t.title[mode]}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.meaning} {parent_id === null ? t.ask.operator : t.ask.partner}
        </Text>
        <List size="sm">
          {missing.map(({ type, channels }) => (
            <List.Item key={type}>
              {channels.length === 0
                ? names[type]
                : `${type === 'qris' ? '' : `${names[type]}: `}${t.only[mode](channels.map(nameOf).join(', '))}`}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Panel>
  )
}
