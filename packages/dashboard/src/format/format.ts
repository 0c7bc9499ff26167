// Formats amounts in rupiah and times in Jakarta time, regardless of the reader's time zone.

import { type Language, useLanguage } from '../language/language.tsx'

const zone = 'Asia/Jakarta'
const locales: Record<Language, string> = { en: 'en-GB', id: 'id-ID' }

export type Formats = {
  /** Formats an amount of money. The parameter `cents` is the amount in cents and must be an integer. */
  money(cents: number): string
  /** Formats an amount for a chart axis: `Rp 1.2 M`. */
  shortMoney(cents: number): string
  count(value: number): string
  /** Formats a share as a percentage. `part` is a number from 0 to 1. */
  percent(part: number): string
  /** Formats a time. `at` is a time in ISO 8601. */
  time(at: string): string
  exactTime(at: string): string
  /** Formats only the time of day, for times on the current day: `04:38 WIB`. */
  clock(at: string): string
  /** Formats a date. `day` has the format `2026-11-22`. */
  day(day: string): string
  /** Formats a date in a short form for a table column: `22 Nov 2026`. */
  plainDay(day: string): string
  shortDay(day: string): string
}

export function formatsOf(language: Language): Formats {
  const locale = locales[language]
  const rupiah = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'IDR',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  })
  const shortRupiah = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'IDR',
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  const plain = new Intl.NumberFormat(locale)
  const part = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' })
  const exact = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hour12: false,
  })
  const clock = new Intl.DateTimeFormat(locale, { timeZone: zone, timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'full' })
  const plainDate = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' })
  const shortDate = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const inRupiah = (cents: number) => `${cents}E-2` as `${number}`
  return {
    // The amount is formatted from a decimal string. A division of cents by 100 would produce a float, which
    // can be inexact.
    money: cents => rupiah.format(inRupiah(cents)),
    shortMoney: cents => shortRupiah.format(inRupiah(cents)),
    count: value => plain.format(value),
    percent: value => part.format(value),
    time: at => moment.format(new Date(at)),
    clock: at => `${clock.format(new Date(at))} WIB`,
    exactTime: at => `${exact.format(new Date(at))} WIB`,
    day: day => date.format(new Date(`${day}T00:00:00Z`)),
    plainDay: day => plainDate.format(new Date(`${day}T00:00:00Z`)),
    shortDay: day => shortDate.format(new Date(`${day}T00:00:00Z`)),
  }
}

const made: Partial<Record<Language, Formats>> = {}

export function formatsIn(language: Language): Formats {
  made[language] ??= formatsOf(language)
  return made[language]
}

export function useFormat(): Formats {
  const [language] = useLanguage()
  return formatsIn(language)
}

/** Returns the date that a time has in Jakarta, in the format `2026-11-22`. */
export const dayIn = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
