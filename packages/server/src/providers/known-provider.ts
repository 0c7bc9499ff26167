import { fault } from '../faults/fault.ts'
import type { AnyProvider } from './provider.ts'

/**
 * Validates the provider code in a list filter. Throws BAD_REQUEST if this release has no adapter for the provider.
 */
export function knownProvider(
  providers: ReadonlyMap<string, AnyProvider>,
  code: string | undefined,
): string | undefined {
  if (code !== undefined && !providers.has(code))
    throw fault('provider_unknown', { known: [...providers.keys()] }, { field: 'provider' })
  return code
}
