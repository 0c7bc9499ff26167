import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
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
import { Resource } from './resource.ts'

/** Results of the reconciliation the service runs every morning. Only for the Owner (the service's operator). */
export class ReconciliationResource extends Resource {
  /**
   * Lists the reconciliation runs, newest first. Each run shows what it compared and which accounts could not be
   * checked.
   *
   * @example
   * const { items } = await gapura.reconciliation.listRuns({ mode: 'live', limit: 1 })
   */
  listRuns(
    query: QueryOf<ListReconciliationRunsData> = {},
    options?: CallOptions,
  ): PagePromise<ReconciliationRun> {
    return pagesOf(this.call, listReconciliationRuns, { query }, options)
  }

  /**
   * Lists the differences found by the daily runs, newest first. By default, only open differences are listed. Pass
   * `status: 'closed'` for closed ones.
   *
   * @example
   * for await (const { kind, reference } of gapura.reconciliation.listDifferences()) console.log(kind, reference)
   */
  listDifferences(
    query: QueryOf<ListReconciliationDifferencesData> = {},
    options?: CallOptions,
  ): PagePromise<KeptDifference> {
    return pagesOf(this.call, listReconciliationDifferences, { query }, options)
  }

  /**
   * Closes a difference whose cause is known. Later runs do not reopen it. No balance changes. Throws
   * `ConflictError` if the difference is already closed.
   *
   * @example
   * await gapura.reconciliation.closeDifference(id, { reason: 'the provider settles it tomorrow' })
   */
  closeDifference(
    id: string,
    body: CloseReconciliationDifferenceBody,
    options?: CallOptions,
  ): ApiPromise<KeptDifference> {
    return this.call.once(closeReconciliationDifference, { path: { id }, body }, options)
  }
}
