// Defines what the contract run (vitest.contract.config.ts) must cover: every documented status of every
// operation, except those in `exceptions`.

import { type Operation, operations } from './contract.ts'

const exceptions = [
  // Responses that depend on the request rate or on a service fault. The contract run does not need to receive
  // them.
  /^(?!login |changePassword ).* 429$/,
  / (500|503)$/,
  // Prism, the contract run's proxy, cannot send the provider's callback that causes this error.
  /^reprocessProviderCallback 502$/,
  // This error requires a settlement file above the 64 MiB limit, which Prism cannot read.
  /^uploadSettlement 413$/,
]

/**
 * Returns whether undecodable paths are the operation's only malformed requests. The contract run cannot test such
 * paths, because Prism exits when it receives one (reasonToGoDirectly).
 */
export function rejectsOnlyUndecodable({
  responses: { 400: response },
}: Pick<Operation, 'responses'>): boolean {
  return response !== undefined && '$ref' in response && response.$ref.endsWith('/BadParameter')
}

/** Returns the responses that the contract run must receive but did not, in the form `getPayment 404`. */
export const uncovered = (reached: ReadonlySet<string>): string[] =>
  operations()
    .flatMap(operation =>
      Object.keys(operation.responses)
        .filter(status => status !== '400' || !rejectsOnlyUndecodable(operation))
        .map(status => `${operation.operationId} ${status}`),
    )
    .filter(response => !reached.has(response) && !exceptions.some(exception => exception.test(response)))
