// Lists each payment method once, even if several providers can handle it.

import type { Outputs } from '../api/trpc.ts'
import { type MethodType, methodTypes } from '../payments/payment-words.ts'

type Providers = Outputs['methods']['activeMethods']['providers']
export type Channel = { code: string; name: string }
export type OfferedMethod = { type: MethodType; channels: Channel[] }

/**
 * Returns the payment methods that the test payment form offers. Leaves out methods that the API lists but
 * does not accept for payments yet.
 */
export function offeredMethods(providers: Providers): OfferedMethod[] {
  const methods = providers.flatMap(provider => provider.methods)
  return methodTypes.flatMap(type => {
    const channels = methods.filter(method => method.type === type).flatMap(method => method.channels)
    const offered = channels.filter(
      ({ code }, index) => channels.findIndex(channel => channel.code === code) === index,
    )
    return offered.length === 0 ? [] : [{ type, channels: offered }]
  })
}
