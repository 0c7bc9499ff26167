import { useNameOfChannel } from './name-of-channel.ts'
import { channelOf, type Payment } from './payment-words.ts'

/** Returns a function that takes a payment and returns the display name of the payment's channel. */
export function useChannelName(): (payment: Payment) => string {
  const nameOf = useNameOfChannel()
  return payment => {
    const channel = channelOf(payment)
    return payment.method_type === 'over_the_counter' ? channel : nameOf(channel)
  }
}
