// Chooses the provider accounts for a payment. Accounts named in the tenant's routing rules come first, in the
// order of the rules. The tenant's other accounts follow, sorted by priority.

import type { ListedMethodType } from '../payments/method.ts'
import type { AnyProvider, Channel, Providers } from '../providers/provider.ts'
import { type Mode, modes } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'

export type EntitledAccount = { id: string; providerCode: string; mode: Mode; priority: number }

export type RoutingRule = {
  position: number
  /** The routing rule's conditions. A condition that is null matches every payment. */
  methodType: ListedMethodType | null
  channel: string | null
  minAmount: Cents | null
  maxAmount: Cents | null
  providerAccountId: string
  weight: number
}

export type Routes = { accounts: EntitledAccount[]; rules: RoutingRule[] }
export type RoutesOf = (tenantId: string) => Promise<Routes>

export type RouteRequest = { mode: Mode; methodType: ListedMethodType; channel: string; amount: Cents }
export type Candidate = { accountId: string; provider: AnyProvider; channel: Channel }

/**
 * Returns the accounts in the order in which to try them. `random` returns a number in [0, 1), which determines how
 * rules at the same position are ordered.
 */
export function routePayment(
  providers: Providers,
  routes: Routes,
  request: RouteRequest,
  random: () => number,
): Candidate[] {
  const eligible = eligibleAccounts(providers, routes, request)
  const ruled = matchingRules(routes, eligible, request)
    // Orders rules at the same position randomly by weight. Each rule gets the key u^(1/w), where u is a
    // random number and w is the rule's weight. The probability that a rule has the highest key is then
    // proportional to its weight.
    .map(rule => ({ rule, key: random() ** (1 / rule.weight) }))
    .sort((a, b) => a.rule.position - b.rule.position || b.key - a.key)
    .map(({ rule }) => rule.providerAccountId)
  return [...new Set([...ruled, ...eligible.keys()])].map(id => eligible.get(id) as Candidate)
}

/**
 * Returns the tenant's accounts that can accept the payment, sorted by the priority of the tenant's
 * entitlements (permissions to use accounts).
 */
export const eligibleAccounts = (
  providers: Providers,
  routes: Routes,
  request: RouteRequest,
): Map<string, Candidate> =>
  new Map(
    routes.accounts
      .filter(account => account.mode === request.mode)
      .sort((a, b) => a.priority - b.priority)
      .flatMap(account => {
        const candidate = candidateOf(providers, account, request.methodType, request.channel)
        return candidate ? [[account.id, candidate] as const] : []
      }),
  )

/**
 * Returns the routing rules that match the payment and name one of the `eligible` accounts (the accounts that
 * can accept the payment).
 */
export const matchingRules = (
  routes: Routes,
  eligible: ReadonlyMap<string, Candidate>,
  { methodType, channel, amount }: RouteRequest,
): RoutingRule[] =>
  routes.rules.filter(
    rule =>
      eligible.has(rule.providerAccountId) && matches(rule, methodType, channel) && inRange(rule, amount),
  )

/**
 * Returns the methods and channels offered by the tenant's accounts in a mode, as the tree of active methods. If
 * the mode is null, both modes are included.
 */
export function activeMethods(providers: Providers, routes: Routes, mode: Mode | null) {
  const accounts = routes.accounts
    .filter(account => mode === null || account.mode === mode)
    .sort((a, b) => a.priority - b.priority)
  const inMode = modes.map(each => accounts.filter(account => account.mode === each))
  const codes = [...new Set(accounts.map(account => account.providerCode))]
  return codes.flatMap(code => {
    const provider = providers.get(code)
    if (!provider) return []
    const methods = provider.methods
      .map(method => ({
        ...method,
        channels: method.channels.filter(channel => takers(method.type, channel.code).has(code)),
      }))
      .filter(method => method.channels.length > 0)
    return methods.length > 0 ? [{ provider, methods }] : []
  })

  /**
   * Returns the providers that may receive payments through a channel in one of the modes. A routing rule names an
   * account, and therefore applies only to payments in this account's mode.
   */
  function takers(methodType: ListedMethodType, channel: string): Set<string> {
    return new Set(inMode.flatMap(each => takersAmong(each, methodType, channel)))
  }

  /**
   * Returns the providers that may receive payments through a channel, among the accounts `ofMode` of one mode. If a
   * rule for the channel has neither a minimum nor a maximum amount, only providers in the channel's rules may receive
   * payments. Otherwise, every provider that offers the channel may.
   */
  function takersAmong(ofMode: EntitledAccount[], methodType: ListedMethodType, channel: string): string[] {
    const offering = ofMode.filter(account => candidateOf(providers, account, methodType, channel))
    const own = new Set(offering.map(account => account.id))
    const rules = routes.rules.filter(
      rule => own.has(rule.providerAccountId) && matches(rule, methodType, channel),
    )
    const named = new Set(rules.map(rule => rule.providerAccountId))
    const isSettled = rules.some(rule => rule.minAmount === null && rule.maxAmount === null)
    return offering.filter(({ id }) => !isSettled || named.has(id)).map(account => account.providerCode)
  }
}

function candidateOf(
  providers: Providers,
  account: EntitledAccount,
  methodType: ListedMethodType,
  code: string,
): Candidate | undefined {
  const provider = providers.get(account.providerCode)
  const channel = provider?.methods
    .find(method => method.type === methodType)
    ?.channels.find(each => each.code === code)
  return provider && channel ? { accountId: account.id, provider, channel } : undefined
}

const matches = (rule: RoutingRule, methodType: ListedMethodType, channel: string): boolean =>
  (rule.methodType === null || rule.methodType === methodType) &&
  (rule.channel === null || rule.channel === channel)

const inRange = (rule: RoutingRule, amount: Cents): boolean =>
  (rule.minAmount === null || amount >= rule.minAmount) &&
  (rule.maxAmount === null || amount <= rule.maxAmount)
