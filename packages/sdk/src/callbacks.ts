// What providers reported: for the Owner.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import {
  listProviderCallbacks,
  listRejectedCallbacks,
  reprocessProviderCallback,
} from './generated/operations.gen.ts'
import type {
  ListProviderCallbacksData,
  ListRejectedCallbacksData,
  ProviderCallback,
  RejectedCallback,
  ReprocessedCallback,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'

export const callbacksOf = (call: Call) => ({
  /**
   * What came with a good signature, newest first, and what came of it.
   *
   * @example
   * const { items } = await gapura.callbacks.list({ status: 'unmatched' })
   */
  list: (
    query: QueryOf<ListProviderCallbacksData> = {},
    options?: CallOptions,
  ): PagePromise<ProviderCallback> => pagesOf(call, listProviderCallbacks, { query }, options),

  /**
   * What came with a signature that did not hold; the latest of each account.
   *
   * @example
   * const { items } = await gapura.callbacks.rejected({ provider: 'midtrans' })
   */
  rejected: (
    query: QueryOf<ListRejectedCallbacksData> = {},
    options?: CallOptions,
  ): PagePromise<RejectedCallback> => pagesOf(call, listRejectedCallbacks, { query }, options),

  /**
   * Applies a kept callback again; unless `apply` is true it only tells what that would do.
   *
   * @example
   * const { outcome, from, to } = await gapura.callbacks.reprocess(id)
   */
  reprocess: (
    id: string,
    { apply = false }: { apply?: boolean | undefined } = {},
    options?: CallOptions,
  ): ApiPromise<ReprocessedCallback> =>
    call.once(reprocessProviderCallback, { path: { id }, body: { dry_run: !apply } }, options),
})
