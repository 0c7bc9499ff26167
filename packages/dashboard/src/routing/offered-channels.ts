// The payment methods and channels that the user can choose. Users of the Owner (the service's operator) can
// choose the methods and channels of every provider. All other users can choose only the methods and channels
// of their tenant's own accounts.

import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useProviders } from '../provider-accounts/providers.ts'
import { useAccount } from '../session/account.ts'

type Choice = { value: string; label: string }

/**
 * Returns the choices. Adds the currently chosen method or channel if it is no longer offered or is not available to
 * this tenant.
 */
export const withChosen = (choices: readonly Choice[], chosen: string | null): Choice[] =>
  chosen && !choices.some(({ value }) => value === chosen)
    ? [...choices, { value: chosen, label: chosen }]
    : [...choices]

/** Returns a function that lists the channels for a provider and a method. Null means any provider or any method. */
export function useOfferedChannels(): (provider: string | null, method: string | null) => Choice[] {
  const { role } = useAccount()
  const all = useProviders(role === 'owner')
  const own = useQuery(
    trpc.methods.activeMethods.queryOptions({}, { enabled: role !== 'owner', staleTime: 60_000 }),
  )
  const providers = all.data ?? own.data?.providers ?? []
  return (provider, method) => {
    const channels = providers
      .filter(({ code }) => provider === null || code === provider)
      .flatMap(({ methods }) => methods)
      .filter(({ type }) => method === null || type === method)
      .flatMap(({ channels }) => channels)
    const byCode = new Map(channels.map(({ code, name }) => [code, name]))
    return [...byCode].map(([value, label]) => ({ value, label }))
  }
}
