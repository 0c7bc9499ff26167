import type { Refund } from './refund-words.ts'

/**
 * Finds the refund for an entry in the payment's history, by the provider's ID or the service's reference. The
 * reference ends with the refund's number, such as `-R2`. `refunds` must contain all of the payment's refunds,
 * oldest first.
 */
export function refundNamed<Each extends Pick<Refund, 'provider_refund_id'>>(
  name: string,
  refunds: readonly Each[],
): Each | undefined {
  const [, number] = /-R(\d+)$/.exec(name) ?? []
  return (
    refunds.find(({ provider_refund_id }) => provider_refund_id === name) ??
    (number === undefined ? undefined : refunds[Number(number) - 1])
  )
}
