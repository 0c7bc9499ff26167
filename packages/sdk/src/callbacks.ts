// What providers reported: for the Owner.

import type { Call } from './call.ts'
import {
  type ListProviderCallbacksData,
  type ListRejectedCallbacksData,
  listProviderCallbacks,
  listRejectedCallbacks,
  type ProviderCallbackPage,
  type RejectedCallbackPage,
  type ReprocessedCallback,
  reprocessProviderCallback,
} from './generated/index.ts'
import type { QueryOf } from './query.ts'

export const callbacksOf = (call: Call) => ({
  /**
   * What came with a good signature, newest first, and what came of it.
   *
   * @example
   * const { items } = await gapura.callbacks.list({ status: 'unmatched' })
   */
  list: (query: QueryOf<ListProviderCallbacksData> = {}): Promise<ProviderCallbackPage> =>
    call.repeatable(options => listProviderCallbacks({ ...options, query })),

  /**
   * What came with a signature that did not hold; the latest of each account.
   *
   * @example
   * const { items } = await gapura.callbacks.rejected({ provider: 'midtrans' })
   */
  rejected: (query: QueryOf<ListRejectedCallbacksData> = {}): Promise<RejectedCallbackPage> =>
    call.repeatable(options => listRejectedCallbacks({ ...options, query })),

  /**
   * Applies a kept callback again; unless `apply` is true it only tells what that would do.
   *
   * @example
   * const { outcome, from, to } = await gapura.callbacks.reprocess(id)
   */
  reprocess: (
    id: string,
    { apply = false }: { apply?: boolean | undefined } = {},
  ): Promise<ReprocessedCallback> =>
    call.once(options => reprocessProviderCallback({ ...options, path: { id }, body: { dry_run: !apply } })),
})
