import type { ApiPromise } from './api-promise.ts'
import type { Call, CallOptions } from './call.ts'
import { getLedgerVerification } from './generated/operations.gen.ts'
import type { LedgerVerification } from './generated/types.gen.ts'

/** Ledger verification. Owner only. */
export const ledgerOf = (call: Call) => ({
  /**
   * Returns when the service last verified its ledger, and the differences found by this verification.
   *
   * @example
   * const { last, differences } = await gapura.ledger.verification()
   */
  verification: (options?: CallOptions): ApiPromise<LedgerVerification> =>
    call.repeatable(getLedgerVerification, {}, options),
})
