// Previews how route.ts would route a payment, without a random draw: which accounts may come first, with what
// chance, and which ones follow. Accounts in rules of one position are tried in a random order for each
// payment; here they share one place.

import type { Cents } from '../money.ts'
import { limitExceeded, usualExpiryMinutes } from './limit.ts'
import { type Candidate, eligibleFor, type Providers, type Routes, rulesFor, type Wanted } from './route.ts'

export type Previewed = Candidate & {
  /**
   * Starts at 1. Accounts of one place are tried before those of the next, in a random order weighted by `weight`.
   */
  place: number
  /** weight: the total of the position's rules that name the account. Null if the entitlement's priority decides. */
  rule: { position: number; weight: number } | null
  /** The chance of coming first within its place. */
  chance: number
}

/** Sorted by place, then by chance, highest first. */
export function previewRoute(providers: Providers, routes: Routes, wanted: Wanted): Previewed[] {
  const eligible = eligibleFor(providers, routes, wanted)
  const previewed = new Map<string, Previewed>()
  let place = 0
  const ruled = rulesFor(routes, eligible, wanted).sort((a, b) => a.position - b.position)
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
 * Why an account rejects a payment without an expiry, as the error message; undefined if it accepts. Assumes a
 * reachable payer. An account that may come first sets its own usual expiry; every other account is checked
 * with the usual expiry of the likeliest first account.
 */
export function refusalOf(candidate: Previewed, likeliest: Previewed, amount: Cents): string | undefined {
  const first = candidate.place === likeliest.place ? candidate : likeliest
  return limitExceeded(candidate, { amount, expiryMinutes: usualExpiryMinutes(first) })?.detail
}
