import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { circuitWords, type Health } from './circuit-words.ts'

const text = words({
  en: {
    since: (state: string, at: string) => `${state} since ${at}`,
    open: 'Too many of its charges failed or were slow, so new payments go to the next account of each tenant. Where there is none, they are still tried here. Payments that it has can be paid.',
    half_open: 'It was avoided. One payment is let through now: if it goes well, the others follow.',
    probe: (at: string) => `It is tried again at ${at}.`,
    failed: (failures: string, calls: string) => `Of ${calls} charges in the last minute ${failures} failed.`,
  },
  id: {
    since: (state: string, at: string) => `${state} sejak ${at}`,
    open: 'Terlalu banyak permintaannya gagal atau lambat, sehingga pembayaran baru menuju akun berikutnya milik tiap tenant. Jika tidak ada, pembayaran tetap dicoba di sini. Pembayaran yang sudah ada tetap dapat dibayar.',
    half_open: 'Tadi dihindari. Kini satu pembayaran dilewatkan: jika berhasil, yang lain menyusul.',
    probe: (at: string) => `Akan dicoba lagi pada ${at}.`,
    failed: (failures: string, calls: string) =>
      `Dari ${calls} permintaan dalam satu menit terakhir, ${failures} gagal.`,
  },
})

/** Explains what an open circuit means for payments. */
export function Trouble({ health }: { health: Health }) {
  const t = useWords(text)
  const states = useWords(circuitWords)
  const format = useFormat()
  const { circuit, name, since, calls, failures, next_probe_at } = health
  if (circuit === 'closed') return null
  const state = since ? t.since(states[circuit], format.exactTime(since)) : states[circuit]
  return (
    <Alert
      color={circuit === 'open' ? 'red' : 'orange'}
      icon={<IconAlertTriangle />}
      title={`${name}: ${state}`}
      mb="sm"
    >
      {t[circuit]} {calls > 0 && t.failed(format.count(failures), format.count(calls))}{' '}
      {next_probe_at && t.probe(format.exactTime(next_probe_at))}
    </Alert>
  )
}
