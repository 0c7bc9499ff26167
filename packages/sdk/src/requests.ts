import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import { getRequest, listRequests } from './generated/operations.gen.ts'
import type { ApiRequest, ListRequestsData } from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** The log of the requests that the tenant's API keys sent. */
export class RequestsResource extends Resource {
  /**
   * Lists the requests with the tenant's API keys, newest first. A request appears about one second after its
   * response.
   *
   * @example
   * for await (const { path, error_code } of gapura.requests.list({ status: '4xx' }))
   *   console.log(path, error_code)
   */
  list(query: QueryOf<ListRequestsData> = {}, options?: CallOptions): PagePromise<ApiRequest> {
    return pagesOf(this.call, listRequests, { query }, options)
  }

  /**
   * Finds a request by the `X-Request-Id` of its response. Every `GapuraError` has this ID as `requestId`.
   *
   * @example
   * const { status, error_field } = await gapura.requests.get(requestId)
   */
  get(requestId: string, options?: CallOptions): ApiPromise<ApiRequest> {
    return this.call.repeatable(getRequest, { path: { request_id: requestId } }, options)
  }
}
