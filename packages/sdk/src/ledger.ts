import type { ApiPromise } from './api-promise.ts'
import type { Call, CallOptions } from './call.ts'
import { getLedgerVerification } from './generated/operations.gen.ts'
import type { LedgerVerification } from './generated/types.gen.ts'

/** For the Owner. */
export const ledgerOf = (call: Call) => ({
  /**
   * When the service verified its ledger last, and what contradicts itself.
   *
   * @example
   * const { last, differences } = await gapura.ledger.verification()
   */
  verification: (options?: CallOptions): ApiPromise<LedgerVerification> =>
    call.repeatable(getLedgerVerification, {}, options),
})
