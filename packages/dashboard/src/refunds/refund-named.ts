import type { Refund } from './refund-words.ts'

/**
 * Finds the refund for a name from the payment's history: the provider's ID or the service's reference. A reference
 * ends with the refund's number, such as `-R2` for the second refund. `refunds` must therefore contain all of the
 * payment's refunds, oldest first.
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
