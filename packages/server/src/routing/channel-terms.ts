// Determines which channels a tenant can use to create payments now, and each channel's limits. All functions are
// pure.

import { type MethodType, methodTypes } from '../payments/method.ts'
import type { Channel, Providers } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import { eligibleAccounts, type Routes } from './route.ts'
import { previewRoute } from './route-preview.ts'

type Chosen = { mode: Mode; methodType: MethodType; channel: string }

export type ChannelTerms = Pick<Channel, 'code' | 'name'> & {
  /** The amount limits. A limit is null if the channel has no minimum or no maximum. */
  minAmount: Cents | null
  maxAmount: Cents | null
  wholeRupiah: boolean
  minExpiryMinutes: number
  maxExpiryMinutes: number
  needsMobileNumber: boolean
  /** False if the circuit breaker of every account that offers the channel is open (docs/provider-health.md). */
  isAvailable: boolean
}

/**
 * Returns the channels in the order of the providers' lists, grouped by method. Methods without channels are omitted.
 */
export function channelTerms(
  providers: Providers,
  routes: Routes,
  mode: Mode,
  isUnavailable: (accountId: string) => boolean,
): { type: MethodType; channels: ChannelTerms[] }[] {
  const listed = routes.accounts
    .filter(account => account.mode === mode)
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap(({ providerCode }) => providers.get(providerCode)?.methods ?? [])
  return methodTypes.flatMap(methodType => {
    const ofMethod = listed.filter(({ type }) => type === methodType).flatMap(({ channels }) => channels)
    const codes = [...new Set(ofMethod.map(({ code }) => code))]
    const channels = codes.flatMap(channel =>
      termsOf(providers, routes, { mode, methodType, channel }, isUnavailable),
    )
    return channels.length === 0 ? [] : [{ type: methodType, channels }]
  })
}

function termsOf(
  providers: Providers,
  routes: Routes,
  chosen: Chosen,
  isUnavailable: (accountId: string) => boolean,
): ChannelTerms[] {
  const accounts = [...eligibleAccounts(providers, routes, { ...chosen, amount: 1n }).keys()]
  const ranges = acceptedRanges(providers, routes, chosen)
  const limits = ranges.flatMap(range => range.channels.map(channel => channel.limits))
  const named = ranges[0]?.channels[0]
  if (!named) return []
  const mins = ranges.map(({ min }) => min)
  const maxes = ranges.map(({ max }) => max)
  return [
    {
      code: named.code,
      name: named.name,
      minAmount: mins.includes(null) ? null : lowest(mins as Cents[]),
      maxAmount: maxes.includes(null) ? null : highest(maxes as Cents[]),
      wholeRupiah: limits.some(({ wholeRupiah }) => wholeRupiah),
      minExpiryMinutes: Math.max(...limits.map(({ minExpiryMinutes }) => minExpiryMinutes)),
      maxExpiryMinutes: Math.min(...limits.map(({ maxExpiryMinutes }) => maxExpiryMinutes)),
      needsMobileNumber: limits.some(({ mobileNumber }) => mobileNumber === true),
      isAvailable: !accounts.every(isUnavailable),
    },
  ]
}

type Range = { min: Cents | null; max: Cents | null; channels: Channel[] }

/**
 * Returns the accepted ranges of amounts. Routing rules can have conditions on the amount, so a new range begins
 * wherever such a condition starts or stops applying. A payment must be within the limits of each account that may be
 * tried first in its range.
 */
function acceptedRanges(providers: Providers, routes: Routes, chosen: Chosen): Range[] {
  const bounds = routes.rules.flatMap(({ minAmount, maxAmount }) => [
    ...(minAmount === null ? [] : [minAmount]),
    ...(maxAmount === null ? [] : [maxAmount + 1n]),
  ])
  const starts = [...new Set([1n, ...bounds])].toSorted((a, b) => (a < b ? -1 : 1))
  return starts.flatMap((start, index) => {
    const next = starts[index + 1]
    const channels = previewRoute(providers, routes, { ...chosen, amount: start })
      .filter(({ place }) => place === 1)
      .map(({ channel }) => channel)
    const least = channels.flatMap(({ limits }) => limits.minAmount ?? [])
    const most = channels.flatMap(({ limits }) => limits.maxAmount ?? [])
    const min = highest([...(start === 1n ? [] : [start]), ...least])
    const max = lowest([...(next === undefined ? [] : [next - 1n]), ...most])
    return channels.length === 0 || (max !== null && (min ?? 1n) > max) ? [] : [{ min, max, channels }]
  })
}

const lowest = (amounts: readonly Cents[]): Cents | null =>
  amounts.reduce<Cents | null>((least, each) => (least === null || each < least ? each : least), null)
const highest = (amounts: readonly Cents[]): Cents | null =>
  amounts.reduce<Cents | null>((most, each) => (most === null || each > most ? each : most), null)
