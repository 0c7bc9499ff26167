// Which accounts a payment may be charged at, in the order in which they are tried.

import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import type { Mode } from '../mode.ts'
import { type Cents, isWholeRupiah } from '../money.ts'
import { activeMethods, type Candidate, type Routes, route } from '../routing/route.ts'
import { DEFAULT_EXPIRY_MINUTES } from './create-input.ts'
import { channelField, type MethodType } from './method.ts'

export type Wanted = {
  tenantId: string
  mode: Mode
  methodType: MethodType
  channel: string
  amount: Cents
  /** Null: the default, or as near to it as the channel allows. */
  expiryMinutes: number | null
}
export type Chosen = { candidates: [Candidate, ...Candidate[]]; expiryMinutes: number }

/**
 * In the order in which entitlements and rules choose them. The first one's limits are the caller's to keep; the
 * others stand in for it so far as they take the payment as it is.
 */
export async function chooseAccounts(
  app: Pick<App, 'providers' | 'routesOf'>,
  wanted: Wanted,
): Promise<Chosen> {
  const routes = await app.routesOf(wanted.tenantId)
  const [chosen, ...others] = route(app.providers, routes, wanted, Math.random)
  if (!chosen) throw notOffered(app.providers, routes, wanted)
  const { minExpiryMinutes, maxExpiryMinutes } = chosen.channel.limits
  const usual = Math.max(minExpiryMinutes, Math.min(DEFAULT_EXPIRY_MINUTES, maxExpiryMinutes))
  const { amount } = wanted
  const expiryMinutes = wanted.expiryMinutes ?? usual
  const excess = limitExceeded(chosen, amount, expiryMinutes)
  if (excess) throw new GatewayError('BAD_REQUEST', excess)
  const able = others.filter(other => !limitExceeded(other, amount, expiryMinutes))
  return { candidates: [chosen, ...able], expiryMinutes }
}

/**
 * The first whose provider is well, or the first of all where none is, and the others. Health is looked at one by
 * one: after an outage the first charge that is let through is the trial, and must be made.
 */
export function takeAccount(
  { health }: Pick<App, 'health'>,
  candidates: readonly [Candidate, ...Candidate[]],
): { account: Candidate; others: Candidate[] } {
  const account = candidates.find(each => !health.isOpen(each.accountId)) ?? candidates[0]
  return { account, others: candidates.filter(each => each !== account) }
}

function notOffered(
  providers: App['providers'],
  routes: Routes,
  { mode, methodType, channel }: Wanted,
): GatewayError {
  const offered = activeMethods(providers, routes, mode)
    .flatMap(({ methods }) => methods.filter(method => method.type === methodType))
    .flatMap(method => method.channels.map(each => each.code))
  const available =
    offered.length > 0
      ? `available: ${[...new Set(offered)].join(', ')}`
      : `no ${methodType} channel is enabled`
  return new GatewayError(
    'BAD_REQUEST',
    `${channelField[methodType]}: ${channel} is not enabled for this tenant; ${available}`,
  )
}

/** In words, with the field in front; undefined where the account takes the payment. */
function limitExceeded(
  { provider, channel }: Candidate,
  amount: Cents,
  expiryMinutes: number,
): string | undefined {
  const { wholeRupiah, minAmount, maxAmount, minExpiryMinutes, maxExpiryMinutes } = channel.limits
  const says = (field: string, limit: string) => `${field}: ${provider.name} ${limit} for ${channel.name}`
  if (wholeRupiah && !isWholeRupiah(amount))
    return says('amount', 'takes whole rupiah only (a multiple of 100 cents)')
  if (minAmount !== undefined && amount < minAmount)
    return says('amount', `takes at least ${minAmount} cents`)
  if (maxAmount !== undefined && amount > maxAmount) return says('amount', `takes at most ${maxAmount} cents`)
  if (expiryMinutes < minExpiryMinutes)
    return says('expiry_minutes', `takes at least ${minExpiryMinutes} minutes`)
  if (expiryMinutes > maxExpiryMinutes)
    return says('expiry_minutes', `takes at most ${maxExpiryMinutes} minutes`)
  return undefined
}
