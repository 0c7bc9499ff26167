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

/** What the service reconciles by itself each morning, for the Owner. */
export const dailyReconciliationOf = (call: Call) => ({
  /**
   * The runs, newest first: what was compared, and which accounts could not be checked.
   *
   * @example
   * const { items } = await gapura.reconciliation.runs({ mode: 'live', limit: 1 })
   */
  runs: (
    query: QueryOf<ListReconciliationRunsData> = {},
    options?: CallOptions,
  ): PagePromise<ReconciliationRun> => pagesOf(call, listReconciliationRuns, { query }, options),

  /**
   * The differences that runs found, newest first; the open ones unless you ask for `status: 'closed'`.
   *
   * @example
   * for await (const { kind, reference } of gapura.reconciliation.differences()) console.log(kind, reference)
   */
  differences: (
    query: QueryOf<ListReconciliationDifferencesData> = {},
    options?: CallOptions,
  ): PagePromise<KeptDifference> => pagesOf(call, listReconciliationDifferences, { query }, options),

  /**
   * Closes a difference that is accounted for and that no run will find balanced. No balance changes.
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
