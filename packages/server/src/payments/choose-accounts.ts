// Which accounts a payment may be charged at, in the order in which they are tried.

import type { App } from '../app.ts'
import { GatewayError } from '../errors.ts'
import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
import { limitExceeded, usualExpiryMinutes } from '../routing/limit.ts'
import { activeMethods, type Candidate, type Routes, route } from '../routing/route.ts'
import { channelField, type MethodType } from './method.ts'

export type Wanted = {
  tenantId: string
  mode: Mode
  methodType: MethodType
  channel: string
  amount: Cents
  /** Null: the default, or as near to it as the channel allows. */
  expiryMinutes: number | null
  customerPhone: string
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
  const { amount, customerPhone } = wanted
  const expiryMinutes = wanted.expiryMinutes ?? usualExpiryMinutes(chosen)
  const asked = { amount, expiryMinutes, customerPhone }
  const excess = limitExceeded(chosen, asked)
  if (excess) throw new GatewayError('BAD_REQUEST', excess)
  const able = others.filter(other => !limitExceeded(other, asked))
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
