// What route.ts would decide about a payment, without a draw: who may come first, with what chance, and who follows.
// Accounts that rules of one position share come in an order that is drawn for each payment; here they have one place.

import type { Cents } from '../money.ts'
import { limitExceeded, usualExpiryMinutes } from './limit.ts'
import { type Candidate, eligibleFor, type Providers, type Routes, rulesFor, type Wanted } from './route.ts'

export type Previewed = Candidate & {
  /** From 1 on. Those of one place are tried before those of the next, in an order drawn by weight. */
  place: number
  /** weight: of all rules of the position that name the account. Null where the entitlement's priority decides. */
  rule: { position: number; weight: number } | null
  /** Of coming first among those of its place. */
  chance: number
}

/** By place, and within one the likeliest first. */
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
 * Why an account does not take a payment that asks for no expiry and whose payer it can reach, in the words of its refusal. One that may come first
 * gives the payment its own usual expiry; the others take it with that of the likeliest first, or are passed over.
 */
export function refusalOf(candidate: Previewed, likeliest: Previewed, amount: Cents): string | undefined {
  const first = candidate.place === likeliest.place ? candidate : likeliest
  return limitExceeded(candidate, { amount, expiryMinutes: usualExpiryMinutes(first) })
}
