// Selects the provider accounts that may charge a payment, in the order in which to try them.

import type { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import type { ChargeSlot, ProviderHealth } from '../../provider-accounts/provider-health.ts'
import type { Providers } from '../../providers/provider.ts'
import { defaultExpiryMinutes, limitViolation } from '../../routing/channel-limits.ts'
import {
  activeMethods,
  type Candidate,
  type Routes,
  type RoutesOf,
  routePayment,
} from '../../routing/route.ts'
import type { Mode } from '../../values/mode.ts'
import type { Cents } from '../../values/money.ts'
import { channelField, type MethodType } from '../method.ts'

export type AccountRequest = {
  tenantId: string
  mode: Mode
  methodType: MethodType
  channel: string
  amount: Cents
  /**
   * The expiry the merchant requested. If null, the payment gets the default expiry (DEFAULT_EXPIRY_MINUTES), or
   * the nearest value the channel allows.
   */
  expiryMinutes: number | null
  customerPhone: string
}
type Candidates = [Candidate, ...Candidate[]]
export type ChosenAccounts = { candidates: Candidates; expiryMinutes: number }

type Deps = { providers: Providers; routesOf: RoutesOf }

/**
 * Returns the provider accounts that may charge the payment, ordered by the tenant's routing rules and
 * entitlements (permissions to use provider accounts). Throws an error if the payment exceeds a limit of the
 * first account. Omits fallback accounts whose limits the payment exceeds.
 */
export async function chooseAccounts(app: Deps, request: AccountRequest): Promise<ChosenAccounts> {
  const [chosen, ...others] = await routeRequest(app, request)
  const { amount, customerPhone } = request
  const expiryMinutes = request.expiryMinutes ?? defaultExpiryMinutes(chosen)
  const terms = { amount, expiryMinutes, customerPhone }
  const excess = limitViolation(chosen, terms)
  if (excess) throw excess
  const fallbacks = others.filter(other => !limitViolation(other, terms))
  return { candidates: [chosen, ...fallbacks], expiryMinutes }
}

/**
 * Returns the provider accounts that may charge an existing payment again, in the current routing order. The payment's
 * terms are fixed, even an expiry that the merchant did not request. Accounts whose limits these terms exceed are
 * therefore omitted. Returns undefined if no account is left.
 */
export async function chooseAccountsAgain(
  app: Deps,
  request: AccountRequest & { expiryMinutes: number },
): Promise<Candidates | undefined> {
  const routed = await routeRequest(app, request)
  const [first, ...others] = routed.filter(each => !limitViolation(each, request))
  return first && [first, ...others]
}

async function routeRequest(app: Deps, request: AccountRequest): Promise<Candidates> {
  const routes = await app.routesOf(request.tenantId)
  const [first, ...others] = routePayment(app.providers, routes, request, Math.random)
  if (!first) throw channelNotEnabled(app.providers, routes, request)
  return [first, ...others]
}

export type PickedAccount = { account: Candidate; others: Candidate[] }

/**
 * Chooses the first account that is below its charge limits and has a closed circuit breaker. If all circuit
 * breakers are open, only the limits count. Returns undefined if every account has reached a limit.
 *
 * Calling `isOpen` can use up the only trial charge that an account's circuit breaker allows. The search
 * therefore stops at the first healthy account.
 */
export function pickAccount(
  { health }: { health: ProviderHealth },
  tenantId: string,
  candidates: readonly Candidate[],
): PickedAccount | undefined {
  let account: Candidate | undefined
  for (const each of candidates) {
    if (health.exceededChargeLimit(healthTarget(each), tenantId)) continue
    const isClosed = !health.isOpen(each.accountId)
    if (isClosed || !account) account = each
    if (isClosed) break
  }
  return account && { account, others: candidates.filter(each => each !== account) }
}

export type ReservedAccount = PickedAccount & { slot: ChargeSlot | undefined }

/**
 * Chooses an account before the payment is stored, and reserves a slot for the charge. The caller must release the slot
 * at the end. Without the reservation, simultaneous requests would all pass the check, and those above the limit would
 * fail only after their payments are stored.
 *
 * Throws an error if a limit is reached at every account: RATE_LIMITED if the tenant has too many charges in flight at
 * any account, otherwise SERVICE_UNAVAILABLE.
 */
export function pickFirstAccount(
  app: { health: ProviderHealth },
  tenantId: string,
  candidates: Candidates,
): ReservedAccount {
  const taken = pickAccount(app, tenantId, candidates)
  if (taken) return { ...taken, slot: app.health.reserveCharge(healthTarget(taken.account), tenantId) }
  const isOwn = candidates.some(
    each => app.health.exceededChargeLimit(healthTarget(each), tenantId) === 'own',
  )
  throw fault(isOwn ? 'own_charges_at_capacity' : 'charges_at_capacity', {}, { retryAfterSeconds: 1 })
}

const healthTarget = ({ accountId, provider }: Candidate) => ({ accountId, providerCode: provider.code })

function channelNotEnabled(
  providers: Providers,
  routes: Routes,
  { mode, methodType, channel }: AccountRequest,
): GatewayError {
  const offered = activeMethods(providers, routes, mode)
    .flatMap(({ methods }) => methods.filter(method => method.type === methodType))
    .flatMap(method => method.channels.map(each => each.code))
  return fault(
    'channel_not_enabled',
    { channel, method: methodType, available: [...new Set(offered)] },
    { field: channelField[methodType] },
  )
}
