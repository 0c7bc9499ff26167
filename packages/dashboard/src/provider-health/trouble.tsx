import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { circuitWords, type Health } from './circuit-words.ts'

const text = words({
  en: {
    since: (state: string, at: string) => `${state} since ${at}`,
    open: 'Too many charges failed or were slow. New payments go to the next account of each tenant. If a tenant has no other account, its payments are still attempted at this account. Existing payments can still be paid. If the problem persists, contact the provider.',
    half_open:
      'Gapura sends one payment to this account as a test. If that payment succeeds, the account receives other payments again.',
    probe: (at: string) => `Next test at ${at}.`,
    failed: (failures: string, calls: string) => `${failures} of ${calls} charges failed in the last minute.`,
  },
  id: {
    since: (state: string, at: string) => `${state} sejak ${at}`,
    open: 'Terlalu banyak penagihan gagal atau lambat. Pembayaran baru dialihkan ke akun berikutnya milik setiap tenant. Jika tenant tidak memiliki akun lain, pembayarannya tetap dicoba di akun ini. Pembayaran yang sudah ada tetap dapat dibayar. Jika masalah berlanjut, hubungi penyedia.',
    half_open:
      'Gapura mengirim satu pembayaran ke akun ini sebagai uji coba. Jika pembayaran itu berhasil, akun ini kembali menerima pembayaran lain.',
    probe: (at: string) => `Uji coba berikutnya pada ${at}.`,
    failed: (failures: string, calls: string) =>
      `${failures} dari ${calls} penagihan gagal dalam satu menit terakhir.`,
  },
})

/**
 * Explains what an open circuit breaker means for payments: after many failed charges, payments are routed to other
 * accounts if the tenant has any.
 */
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
