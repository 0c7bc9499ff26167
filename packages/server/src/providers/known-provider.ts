import { GatewayError } from '../errors.ts'
import type { AnyProvider } from './provider.ts'

/** Validates the provider code in a filter. Throws BAD_REQUEST if this build has no such provider. */
export function knownProvider(
  providers: ReadonlyMap<string, AnyProvider>,
  code: string | undefined,
): string | undefined {
  if (code !== undefined && !providers.has(code))
    throw new GatewayError('BAD_REQUEST', `provider: must be one of ${[...providers.keys()].join(', ')}`)
  return code
}
