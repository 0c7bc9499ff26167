import { z } from 'zod'
import type { RouteRequest, Routes } from './route.ts'
import { type Previewed, refusalOf } from './route-preview.ts'

const circuits = ['closed', 'open', 'half_open'] as const
type Circuit = (typeof circuits)[number]

export const routeCandidateView = z
  .strictObject({
    place: z.int().min(1).meta({
      description:
        'Rank of the account in the route, starting at 1. Accounts with a lower rank are tried first',
    }),
    chance: z.number().meta({
      description:
        "Probability, from 0 to 1, that this account is tried before the other accounts with the same `place` in the route. It equals this account's weight divided by the total weight of the accounts with this `place`",
      example: 1,
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_account_id: z.uuid(),
    name: z.string().nullable().meta({
      description: 'Provider account name. Visible to the Owner; null for a Partner',
      example: 'Midtrans of PT Toko Budi',
    }),
    source: z.enum(['rule', 'priority']).meta({
      description:
        "Why the account is in the route. `rule`: a matching routing rule selects the account. `priority`: no rule selects the account, so its rank depends on the priority of the tenant's entitlement to it",
    }),
    rule_position: z.int().nullable().meta({
      description: 'Position of the routing rule that selects the account, or null if no rule selects it',
    }),
    weight: z.int().nullable().meta({
      description:
        'Total weight of the routing rules at `rule_position` that match the payment and select this account, or null if no rule selects the account',
    }),
    priority: z.int().meta({
      description: "Priority of the tenant's entitlement to the account; lower values are tried first",
    }),
    circuit: z.enum(circuits).meta({
      description:
        "The account's circuit breaker. `closed`: available. `open`: avoided because too many of its charges failed or were slow. `half_open`: one charge is sent as a probe. The value comes from the server process that handles the request",
    }),
    refusal: z.string().nullable().meta({
      description:
        "Why the provider account cannot accept the payment, such as an amount below the channel's minimum; null if it can. If the first account in the list cannot accept the payment, creating the payment fails with this reason as its message. Routing skips any other account that cannot accept the payment. The preview assumes that the customer's phone number is given and that the default expiry is used",
      example: 'amount: Midtrans accepts at least 1000000 cents for BCA',
    }),
  })
  .meta({ id: 'RouteCandidate', description: 'A provider account that would be tried for a payment' })

type Known = {
  routes: Routes
  request: RouteRequest
  /**
   * Two maps with account IDs as keys: `names` contains the accounts' names, and `circuits` contains the states of
   * their circuit breakers. Some accounts may be missing from either map.
   */
  names: ReadonlyMap<string, string>
  circuits: ReadonlyMap<string, Circuit>
}

export function viewRoute(
  candidates: Previewed[],
  { routes, request, names, circuits }: Known,
): z.output<typeof routeCandidateView>[] {
  const priorities = new Map(routes.accounts.map(({ id, priority }) => [id, priority]))
  return candidates.map(candidate => ({
    place: candidate.place,
    chance: candidate.chance,
    provider: candidate.provider.code,
    provider_account_id: candidate.accountId,
    name: names.get(candidate.accountId) ?? null,
    source: candidate.rule ? 'rule' : 'priority',
    rule_position: candidate.rule?.position ?? null,
    weight: candidate.rule?.weight ?? null,
    priority: priorities.get(candidate.accountId) as number,
    circuit: circuits.get(candidate.accountId) ?? 'closed',
    refusal: refusalOf(candidate, candidates[0] as Previewed, request.amount) ?? null,
  }))
}
