import type { Refund } from './refund-words.ts'

/**
 * Finds the refund that an entry of the payment's history refers to, by the provider's id or the service's reference.
 * The reference ends with the refund's number, such as `-R2`. `refunds` must contain all refunds of the payment, oldest
 * first.
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
