// Callbacks received from providers. Only for the Owner (the service's operator).

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
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
import { Resource } from './resource.ts'

/**
 * Callbacks: providers' messages reporting that a payment has changed. Only for the Owner (the service's operator).
 */
export class ProviderCallbacksResource extends Resource {
  /**
   * Lists the callbacks with a valid signature, newest first, with their results.
   *
   * @example
   * const { items } = await gapura.providerCallbacks.list({ status: 'unmatched' })
   */
  list(query: QueryOf<ListProviderCallbacksData> = {}, options?: CallOptions): PagePromise<ProviderCallback> {
    return pagesOf(this.call, listProviderCallbacks, { query }, options)
  }

  /**
   * Lists the callbacks with an invalid signature, newest first. The service stores the latest 200 for each
   * provider account.
   *
   * @example
   * const { items } = await gapura.providerCallbacks.listRejected({ provider: 'midtrans' })
   */
  listRejected(
    query: QueryOf<ListRejectedCallbacksData> = {},
    options?: CallOptions,
  ): PagePromise<RejectedCallback> {
    return pagesOf(this.call, listRejectedCallbacks, { query }, options)
  }

  /**
   * Processes a stored callback again. By default, the call changes nothing and only shows what would change. Pass
   * `apply: true` to apply the change.
   *
   * @example
   * const { outcome, from, to } = await gapura.providerCallbacks.reprocess(id)
   */
  reprocess(
    id: string,
    { apply = false }: { apply?: boolean | undefined } = {},
    options?: CallOptions,
  ): ApiPromise<ReprocessedCallback> {
    return this.call.once(reprocessProviderCallback, { path: { id }, body: { dry_run: !apply } }, options)
  }
}
