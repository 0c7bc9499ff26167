import { z } from 'zod'
import type { RouteRequest, Routes } from './route.ts'
import { type Previewed, refusalOf } from './route-preview.ts'

const circuits = ['closed', 'open', 'half_open'] as const
type Circuit = (typeof circuits)[number]

export const routeCandidateView = z
  .strictObject({
    place: z
      .int()
      .min(1)
      .meta({ description: 'Rank of the account in the route. Accounts with a lower rank are tried first' }),
    chance: z.number().meta({
      description:
        "Probability that this account is tried first among those with the same `place`, 0 to 1. It is the account's share of their total weight",
      example: 1,
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_account_id: z.uuid(),
    name: z.string().nullable().meta({
      description: 'Name of the provider account. Visible to the Owner; null for a Partner',
      example: 'Midtrans of PT Toko Budi',
    }),
    source: z.enum(['rule', 'priority']).meta({
      description:
        '`rule`: a matching routing rule selects the account. `priority`: no matching rule selects it, so the priority of its entitlement applies',
    }),
    rule_position: z
      .int()
      .nullable()
      .meta({ description: 'Position of the routing rule that selects the account; null if no rule does' }),
    weight: z.int().nullable().meta({
      description:
        'Total weight of the matching rules at that position that select this account; null if there are none',
    }),
    priority: z.int().meta({
      description: "Priority of the tenant's entitlement to the account; lower values are tried first",
    }),
    circuit: z.enum(circuits).meta({
      description:
        'Circuit breaker of the account. `closed`: available. `open`: avoided because too many of its charges failed or were slow. `half_open`: one charge is sent as a probe. The value is that of the server process that handles the request',
    }),
    refusal: z.string().nullable().meta({
      description:
        'Why the payment is outside the limits of this account; null if it is within the limits. The check assumes a payment with a mobile number and the default expiry. If the account is first in the list, the payment fails with this message. Otherwise the account is skipped',
      example: 'amount: Midtrans takes at least 1000000 cents for BCA',
    }),
  })
  .meta({ id: 'RouteCandidate', description: 'A provider account that would be tried for a payment' })

type Known = {
  routes: Routes
  request: RouteRequest
  /** `names` and `circuits` are keyed by account id. An account may be missing from either map. */
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
