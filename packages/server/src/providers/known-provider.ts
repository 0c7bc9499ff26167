import { fault } from '../faults/fault.ts'
import type { AnyProvider } from './provider.ts'

/** Validates the provider code in a filter. Throws BAD_REQUEST if this build has no adapter for such a provider. */
export function knownProvider(
  providers: ReadonlyMap<string, AnyProvider>,
  code: string | undefined,
): string | undefined {
  if (code !== undefined && !providers.has(code))
    throw fault('provider_unknown', { known: [...providers.keys()] }, { field: 'provider' })
  return code
}
