import { z } from 'zod'
import type { Routes, Wanted } from './route.ts'
import { type Previewed, refusalOf } from './route-preview.ts'

const circuits = ['closed', 'open', 'half_open'] as const
type Circuit = (typeof circuits)[number]

export const routeCandidateView = z
  .strictObject({
    place: z.int().min(1).meta({ description: 'Those of one place are tried before those of the next' }),
    chance: z.number().meta({
      description: 'Of coming first among those of its place, 0 to 1: its share of their weights',
      example: 1,
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_account_id: z.uuid(),
    name: z.string().nullable().meta({
      description: 'Of the account, for the Owner; null to a Partner',
      example: 'Midtrans of PT Toko Budi',
    }),
    source: z.enum(['rule', 'priority']).meta({
      description: 'rule: routing rules name it; priority: no rule that the payment meets does',
    }),
    rule_position: z.int().nullable().meta({ description: 'null: no rule names it' }),
    weight: z.int().nullable().meta({ description: 'Of the rules of that position that name it' }),
    priority: z.int().meta({ description: 'Of its entitlement' }),
    circuit: z.enum(circuits).meta({
      description:
        'open: too many of its charges went badly, so it is avoided; half_open: one charge is let through to tell. Of the process that answers',
    }),
    refusal: z.string().nullable().meta({
      description:
        'Why its limits do not take the payment, which asks for no expiry and names the payer’s mobile number. One that comes first refuses the payment with these words; behind another it is passed over. null: it takes it',
      example: 'amount: Midtrans takes at least 1000000 cents for BCA',
    }),
  })
  .meta({ id: 'RouteCandidate' })

type Known = {
  routes: Routes
  wanted: Wanted
  /** names and circuits are keyed by account id. Either may have no entry. */
  names: ReadonlyMap<string, string>
  circuits: ReadonlyMap<string, Circuit>
}

export function viewRoute(
  candidates: Previewed[],
  { routes, wanted, names, circuits }: Known,
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
    refusal: refusalOf(candidate, candidates[0] as Previewed, wanted.amount) ?? null,
  }))
}
