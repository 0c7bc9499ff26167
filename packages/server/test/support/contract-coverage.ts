// Defines what the contract run (vitest.contract.config.ts) must cover: every documented status of every
// operation, except those in `exceptions`.

import { type Operation, operations } from './contract.ts'

const exceptions = [
  // The contract run need not cause these responses, because they depend on the request rate or on a fault of
  // the service.
  /^(?!login |changePassword ).* 429$/,
  / (500|503)$/,
  // The error below cannot be tested, because Prism, the proxy of the contract tests, cannot send the
  // provider's callback that causes it.
  /^reprocessProviderCallback 502$/,
  // This error requires a settlement file above the 64 MiB limit, but the test proxy Prism cannot read such a
  // file.
  /^uploadSettlement 413$/,
]

/**
 * Returns whether the operation's only malformed request is one with a path that cannot be decoded. The contract run
 * cannot test such paths, because its proxy Prism exits when it receives one (reasonToGoDirectly).
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
