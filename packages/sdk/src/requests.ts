import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import { getRequest, listRequests } from './generated/operations.gen.ts'
import type { ApiRequest, ListRequestsData } from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** The log of requests made with the tenant's API keys. */
export class RequestsResource extends Resource {
  /**
   * Lists requests made with the tenant's API keys, newest first. A request appears about one second after its
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
   * Finds a request by its response's `X-Request-Id`. Every `GapuraError` contains this ID as `requestId`.
   *
   * @example
   * const { status, error_field } = await gapura.requests.get(requestId)
   */
  get(requestId: string, options?: CallOptions): ApiPromise<ApiRequest> {
    return this.call.repeatable(getRequest, { path: { request_id: requestId } }, options)
  }
}
