import { useEffect, useState } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { clockOf, timeLeft } from './time-left.ts'

const text = words({
  en: {
    left: (clock: string) => `${clock} left`,
    days: (days: number, clock: string) =>
      days === 1 ? `1 day ${clock} left` : `${days} days ${clock} left`,
    over: 'The time to pay has expired',
  },
  id: {
    left: (clock: string) => `Sisa ${clock}`,
    days: (days: number, clock: string) => `Sisa ${days} hari ${clock}`,
    over: 'Waktu pembayaran habis',
  },
})

/**
 * Shows the time left to pay. It is not a live region, because a screen reader would then announce the time every
 * second.
 */
export function Countdown({ until }: { until: string }) {
  const t = useWords(text)
  const format = useFormat()
  const left = timeLeft(until, useNow())
  return (
    <time dateTime={until} title={format.exactTime(until)} className="figures">
      {left === null ? t.over : left.days > 0 ? t.days(left.days, clockOf(left)) : t.left(clockOf(left))}
    </time>
  )
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
