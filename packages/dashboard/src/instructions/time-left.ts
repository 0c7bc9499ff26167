// Computes the time left to pay in days, hours, minutes and seconds.

type TimeLeft = { days: number; hours: number; minutes: number; seconds: number }

/** Returns the time left until `until`, or null if that time has passed. */
export function timeLeft(until: string, nowMs: number): TimeLeft | null {
  const left = Math.floor((Date.parse(until) - nowMs) / 1_000)
  if (left <= 0) return null
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor((left % 86_400) / 3_600),
    minutes: Math.floor((left % 3_600) / 60),
    seconds: left % 60,
  }
}

const two = (value: number) => String(value).padStart(2, '0')

/** Formats the time left as `1:02:03` or, within the last hour, as `02:03`. */
export const clockOf = ({ hours, minutes, seconds }: TimeLeft): string =>
  hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`
