// Shows the payer how to pay: where, how much, and by when.

import { Button, Center, Group, List, Loader, Stack, Text } from '@mantine/core'
import { IconClock, IconExternalLink } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { useChannelName } from '../payments/channel-name.ts'
import type { Payment } from '../payments/payment-words.ts'
import { Countdown } from './countdown.tsx'
import classes from './instructions.module.css'
import { meansOf } from './means.ts'
import { stepWords } from './steps.ts'

const Qr = lazy(() => import('./qr.tsx').then(module => ({ default: module.Qr })))

const text = words({
  en: {
    amount: 'Amount to pay',
    va: (bank: string) => `${bank} virtual account number`,
    code: (store: string) => `Payment code for ${store}`,
    qr: 'QRIS code to scan',
    picture: 'Open the QR code image',
    continue: (wallet: string) => `Continue to ${wallet}`,
    open: (wallet: string) => `Open the ${wallet} app`,
    inApp: (wallet: string) =>
      `The payer must confirm in the ${wallet} app within 2 minutes, preferably right away: the request can expire after 55 seconds.`,
    unknown: 'The payment instructions are no longer available.',
    how: 'How to pay',
  },
  id: {
    amount: 'Jumlah yang harus dibayar',
    va: (bank: string) => `Nomor virtual account ${bank}`,
    code: (store: string) => `Kode pembayaran ${store}`,
    qr: 'Kode QRIS untuk dipindai',
    picture: 'Buka gambar kode QR',
    continue: (wallet: string) => `Lanjutkan ke ${wallet}`,
    open: (wallet: string) => `Buka aplikasi ${wallet}`,
    inApp: (wallet: string) =>
      `Pembayar harus mengonfirmasi di aplikasi ${wallet} dalam 2 menit, sebaiknya segera: permintaannya dapat kedaluwarsa setelah 55 detik.`,
    unknown: 'Petunjuk pembayaran ini tidak lagi tersedia.',
    how: 'Cara membayar',
  },
})

export function Instructions({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const steps = useWords(stepWords)
  const format = useFormat()
  const channelName = useChannelName()
  const rupiah = format.money(payment.amount)
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <Labelled label={t.amount}>
          <Copied
            value={inWholeRupiah(payment.amount)}
            what={t.amount}
            shown={<span className={classes.amount}>{rupiah}</span>}
          />
        </Labelled>
        <Group gap={6} c="dimmed" fz="sm" wrap="nowrap">
          <IconClock size={16} aria-hidden />
          <Countdown until={payment.expires_at} />
        </Group>
      </Group>
      <Means payment={payment} />
      <div>
        <Text fw={600} size="sm" mb={6}>
          {t.how}
        </Text>
        <List type="ordered" size="sm" spacing={4} withPadding={false} className={classes.steps}>
          {steps[payment.method_type](channelName(payment))
            .split('\n')
            .map(step => (
              <List.Item key={step}>{step}</List.Item>
            ))}
        </List>
      </div>
    </Stack>
  )
}

function Means({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const channel = useChannelName()(payment)
  const means = meansOf(payment.method_data)
  switch (means.kind) {
    case 'number': {
      const label = payment.method_type === 'virtual_account' ? t.va(channel) : t.code(channel)
      return <Numbered label={label} value={means.value} />
    }
    case 'qr':
      return (
        <Center>
          <Suspense fallback={<Loader />}>
            <Qr content={means.content} title={t.qr} />
          </Suspense>
        </Center>
      )
    case 'picture':
      return <Outward href={means.href}>{t.picture}</Outward>
    case 'links':
      return (
        <Group gap="sm">
          {means.page !== '' && <Outward href={means.page}>{t.continue(channel)}</Outward>}
          {means.app !== '' && <Outward href={means.app}>{t.open(channel)}</Outward>}
        </Group>
      )
    case 'app':
      return <Text fw={600}>{t.inApp(channel)}</Text>
    case 'unknown':
      return <Text size="sm">{t.unknown}</Text>
  }
}

const Numbered = ({ label, value }: { label: string; value: string }) => (
  <Labelled label={label}>
    <Copied value={value} what={label} shown={<span className={classes.number}>{inGroups(value)}</span>} />
  </Labelled>
)

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    {children}
  </div>
)

const Outward = ({ href, children }: { href: string; children: string }) => (
  <Button
    component="a"
    href={href}
    target="_blank"
    rel="noopener noreferrer"
    rightSection={<IconExternalLink size={16} />}
  >
    {children}
  </Button>
)

/**
 * Formats the amount as the payer types it into a banking app: without decimals, because payment amounts are
 * always in whole rupiah.
 */
const inWholeRupiah = (cents: number): string => String(cents).slice(0, -2)

/**
 * Splits a number into groups of four digits, because groups are easier to type. The copy button copies the number
 * without the gaps.
 */
const inGroups = (value: string): string => value.replaceAll(/(.{4})(?=.)/g, '$1 ')
