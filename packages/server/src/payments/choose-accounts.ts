// Selects the provider accounts at which a payment may be charged, in the order of the attempts.

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
  /** Null for the default, or the nearest value that the channel allows. */
  expiryMinutes: number | null
  customerPhone: string
}
export type Chosen = { candidates: [Candidate, ...Candidate[]]; expiryMinutes: number }

/**
 * Returns the candidates in the order of entitlements and routing rules. A request beyond the first candidate's
 * limits is rejected. The other candidates are fallbacks and are kept only if their limits allow the payment.
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
 * Takes the first account whose circuit breaker is closed, or the first account if all are open. Stops at the first
 * healthy account: after an outage `isOpen` lets one charge through as a trial, and that charge must then be made.
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
