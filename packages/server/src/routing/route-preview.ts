// Previews how route.ts would route a payment: which accounts are tried first, with what probability, and which
// accounts follow.

import type { Providers } from '../providers/provider.ts'
import type { Cents } from '../values/money.ts'
import { defaultExpiryMinutes, limitViolation } from './channel-limits.ts'
import { type Candidate, eligibleAccounts, matchingRules, type RouteRequest, type Routes } from './route.ts'

export type Previewed = Candidate & {
  /**
   * The account's place in the route, starting at 1. Accounts with a lower place are tried first. Accounts
   * with the same place are tried in a random order weighted by `weight`.
   */
  place: number
  /**
   * The routing rules that decide the account's place in the route: their `position`, and the total `weight` of the
   * rules that name the account. Null if no rule names the account, because the priority of its entitlement then
   * decides.
   */
  rule: { position: number; weight: number } | null
  /** The probability that this account is tried first among the accounts with the same `place`. */
  chance: number
}

/**
 * Returns the accounts of a payment's route, in the order in which they are tried (by `place`). Accounts with the
 * same place are sorted by probability, highest first.
 */
export function previewRoute(providers: Providers, routes: Routes, wanted: RouteRequest): Previewed[] {
  const eligible = eligibleAccounts(providers, routes, wanted)
  const previewed = new Map<string, Previewed>()
  let place = 0
  const ruled = matchingRules(routes, eligible, wanted).sort((a, b) => a.position - b.position)
  for (const [position, rules] of Map.groupBy(ruled, rule => rule.position)) {
    const weights = new Map<string, number>()
    for (const { providerAccountId: id, weight } of rules)
      if (!previewed.has(id)) weights.set(id, (weights.get(id) ?? 0) + weight)
    if (weights.size === 0) continue
    place += 1
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    for (const [id, weight] of [...weights].sort(([, a], [, b]) => b - a))
      previewed.set(id, {
        ...(eligible.get(id) as Candidate),
        ...{ place, rule: { position, weight }, chance: weight / total },
      })
  }
  for (const [id, candidate] of eligible)
    if (!previewed.has(id)) {
      place += 1
      previewed.set(id, { ...candidate, place, rule: null, chance: 1 })
    }
  return [...previewed.values()]
}

/**
 * Returns why the account `candidate` would reject a payment, or undefined if it would accept the payment.
 * Assumes the default expiry of the account that is tried first, which is `likeliest` if `candidate` is a
 * fallback account. The payer's phone number is not checked.
 */
export function refusalOf(candidate: Previewed, likeliest: Previewed, amount: Cents): string | undefined {
  const first = candidate.place === likeliest.place ? candidate : likeliest
  return limitViolation(candidate, { amount, expiryMinutes: defaultExpiryMinutes(first) })?.detail
}
