import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { FeePreview } from '../fees/fee-preview.tsx'
import { useHasFees } from '../fees/has-fees.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure, Pending } from '../parts/states.tsx'
import { useMode } from '../shell/mode.ts'
import { ChannelList } from './channel-list.tsx'
import { useNameOf } from './channel-name.ts'
import { type Method, missingMethods, unavailableChannels } from './methods.ts'
import { MissingList } from './missing-list.tsx'

const text = words({
  en: {
    title: 'Payment methods',
    about: {
      live: 'The methods and channels that your customers can pay with now.',
      test: 'The methods and channels with which you can create test payments now.',
    },
    none: { live: 'No payment methods in live mode', test: 'No payment methods in test mode' },
    how: 'Payment methods appear here once you have access to a provider account.',
    unavailable: (channels: string) => `Temporarily unavailable: ${channels}`,
    meaning:
      'The provider is not responding, so new payments through these channels will probably fail. Offer your customers another channel, and try again in a few minutes. Existing payments can still be paid.',
  },
  id: {
    title: 'Metode pembayaran',
    about: {
      live: 'Metode dan kanal yang saat ini dapat dipakai pelanggan Anda untuk membayar.',
      test: 'Metode dan kanal yang saat ini dapat Anda pakai untuk pembayaran uji coba.',
    },
    none: {
      live: 'Belum ada metode pembayaran di mode live',
      test: 'Belum ada metode pembayaran di mode uji coba',
    },
    how: 'Metode pembayaran muncul di sini setelah Anda mendapat akses ke akun penyedia.',
    unavailable: (channels: string) => `Sementara tidak tersedia: ${channels}`,
    meaning:
      'Penyedia tidak merespons, sehingga pembayaran baru melalui kanal ini kemungkinan gagal. Tawarkan kanal lain kepada pelanggan, lalu coba lagi beberapa menit kemudian. Pembayaran yang sudah dibuat tetap dapat dibayar.',
  },
})

/**
 * The polling interval in milliseconds. The page polls, because no live update reports that a channel has become
 * available or unavailable.
 */
const REFRESH_MS = 30_000

export function PaymentMethodsPage() {
  const t = useWords(text)
  const [mode] = useMode()
  const here = useQuery(trpc.methods.channels.queryOptions({ mode }, { refetchInterval: REFRESH_MS }))
  const other = useQuery(trpc.methods.channels.queryOptions({ mode: mode === 'live' ? 'test' : 'live' }))
  const { error } = here
  const hasFees = useHasFees()
  const methods = here.data?.methods
  return (
    <Page title={t.title} description={t.about[mode]}>
      {error && !methods && <Failure error={error} retry={() => void here.refetch()} />}
      {!error && !methods && <Pending />}
      {methods?.length === 0 && (
        <Panel>
          <Empty title={t.none[mode]}>{t.how}</Empty>
        </Panel>
      )}
      {methods && <Unavailable methods={methods} />}
      {methods?.map(method => (
        <ChannelList key={method.type} method={method} />
      ))}
      {hasFees && methods !== undefined && methods.length > 0 && <FeePreview />}
      {methods && other.data && <Missing here={methods} inOtherMode={other.data.methods} />}
    </Page>
  )
}

function Unavailable({ methods }: { methods: readonly Method[] }) {
  const t = useWords(text)
  const nameOf = useNameOf()
  const channels = unavailableChannels(methods)
  if (channels.length === 0) return null
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle />}
      title={t.unavailable(channels.map(nameOf).join(', '))}
      role="status"
    >
      {t.meaning}
    </Alert>
  )
}

function Missing({ here, inOtherMode }: { here: readonly Method[]; inOtherMode: readonly Method[] }) {
  const [mode] = useMode()
  const missing = missingMethods(here, inOtherMode)
  return missing.length > 0 && <MissingList mode={mode} missing={missing} />
}
