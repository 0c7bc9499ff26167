import { channelOf, type Payment } from './payment-words.ts'
import { useKnownProviders } from './provider-name.ts'

/**
 * Returns a function for the display name of a payment's channel. A channel that no longer exists is shown by its code
 * in capitals.
 */
export function useChannelName(): (payment: Payment) => string {
  const channels = useKnownProviders()?.flatMap(({ methods }) => methods.flatMap(method => method.channels))
  const names = new Map(channels?.map(({ code, name }) => [code.toLowerCase(), name]))
  return payment => {
    const channel = channelOf(payment)
    if (payment.method_type === 'over_the_counter') return channel
    return names.get(channel.toLowerCase()) ?? channel.toUpperCase()
  }
}
