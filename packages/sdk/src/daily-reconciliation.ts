import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import {
  closeReconciliationDifference,
  listReconciliationDifferences,
  listReconciliationRuns,
} from './generated/operations.gen.ts'
import type {
  CloseReconciliationDifferenceBody,
  KeptDifference,
  ListReconciliationDifferencesData,
  ListReconciliationRunsData,
  ReconciliationRun,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'

/** Results of the reconciliation that the service runs every morning. Owner only. */
export const dailyReconciliationOf = (call: Call) => ({
  /**
   * Lists the reconciliation runs, newest first, with what each run compared and which accounts it could not check.
   *
   * @example
   * const { items } = await gapura.reconciliation.runs({ mode: 'live', limit: 1 })
   */
  runs: (
    query: QueryOf<ListReconciliationRunsData> = {},
    options?: CallOptions,
  ): PagePromise<ReconciliationRun> => pagesOf(call, listReconciliationRuns, { query }, options),

  /**
   * Lists the differences found by the runs, newest first. Returns open differences unless `status` is `'closed'`.
   *
   * @example
   * for await (const { kind, reference } of gapura.reconciliation.differences()) console.log(kind, reference)
   */
  differences: (
    query: QueryOf<ListReconciliationDifferencesData> = {},
    options?: CallOptions,
  ): PagePromise<KeptDifference> => pagesOf(call, listReconciliationDifferences, { query }, options),

  /**
   * Closes a difference that has an explanation but that no later run will resolve. Balances do not change. Throws
   * `ConflictError` if the difference is already closed.
   *
   * @example
   * await gapura.reconciliation.close(id, { reason: 'the provider settles it tomorrow' })
   */
  close: (
    id: string,
    body: CloseReconciliationDifferenceBody,
    options?: CallOptions,
  ): ApiPromise<KeptDifference> => call.once(closeReconciliationDifference, { path: { id }, body }, options),
})
