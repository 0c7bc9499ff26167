// The promise returned by every call. It resolves to the response's data. `withResponse()` also returns the HTTP
// response.

/**
 * The data together with its HTTP response. The body of `response` has already been read.
 *
 * @example
 * const { data, requestId }: WithResponse<Payment> = await gapura.payments.get(id).withResponse()
 */
export type WithResponse<Data> = {
  data: Data
  response: Response
  /** The request's ID in the service's logs. */
  requestId: string | undefined
}

/**
 * The type of `catch`'s error parameter, taken from `Promise`. With this type, `.catch((error: GapuraError) => …)` also
 * compiles for an `ApiPromise`.
 */
type Reason = PromiseRejectedResult['reason']

/**
 * The promise for a call in progress. It resolves to the data.
 *
 * @example
 * const payment = await gapura.payments.get(id)
 *
 * @example
 * const { data, response, requestId } = await gapura.payments.create(order).withResponse()
 * console.log(requestId, response.headers.get('idempotency-replayed'))
 */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #answer: Promise<WithResponse<Data>>

  constructor(answer: Promise<WithResponse<Data>>) {
    // The result is in `#answer`, and the promise of the base class never settles. If the base class's promise could
    // reject, a failed call would cause an unhandled rejection when the caller uses only withResponse().
    super(() => {})
    this.#answer = answer
  }

  /**
   * Resolves to the data, the HTTP response with its status and headers, and the request ID.
   *
   * @example
   * const { data, requestId } = await gapura.payments.get(id).withResponse()
   */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: this class is a promise on purpose.
  override then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  override catch<Rejected = never>(
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Data | Rejected> {
    return this.then(undefined, onRejected)
  }

  override finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally)
  }
}

/**
 * One page of a list. `next_cursor` is null on the last page.
 *
 * @example
 * let page = await gapura.payments.list({ limit: 100 })
 * while (page.hasNextPage()) page = await page.nextPage()
 */
export type Page<Item> = PageData<Item> & {
  hasNextPage(): boolean
  /** Requests the next page. On the last page, rejects with a `RangeError`. */
  nextPage(): PagePromise<Item>
}

type PageData<Item> = {
  items: Item[]
  next_cursor: string | null
  /**
   * The number of items that match the filters. It is set only on the first page, and only if the list was
   * requested with `count: 'true'`.
   */
  total?: { count: number; is_exact: boolean }
}

/**
 * The promise for a list. `await` resolves to the first page. `for await` yields the items from all pages,
 * requesting each page only when needed.
 *
 * @example
 * const { items, next_cursor } = await gapura.payments.list({ status: 'paid' })
 *
 * @example
 * for await (const payment of gapura.payments.list({ status: 'paid' })) console.log(payment.payment_code)
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  constructor(answer: Promise<WithResponse<PageData<Item>>>, after: (cursor: string) => PagePromise<Item>) {
    super(answer.then(({ data, ...rest }) => ({ ...rest, data: pageOf(data, after) })))
  }

  /**
   * Collects the items from all pages, up to `limit` items, so that a long list does not fill up the memory.
   *
   * @example
   * const latest = await gapura.payments.list({ status: 'paid' }).toArray({ limit: 500 })
   */
  async toArray({ limit }: { limit: number }): Promise<Item[]> {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new RangeError(`limit: must be a positive integer (got ${limit})`)
    const items: Item[] = []
    for await (const item of this) if (items.push(item) === limit) break
    return items
  }

  /**
   * Iterates over the items from all pages, requesting each page only when needed.
   *
   * @example
   * for await (const payment of gapura.payments.list()) console.log(payment.payment_code)
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: Page<Item> = await this
    for (;;) {
      yield* page.items
      if (!page.hasNextPage()) return
      page = await page.nextPage()
    }
  }
}

function pageOf<Item>(data: PageData<Item>, after: (cursor: string) => PagePromise<Item>): Page<Item> {
  // A missing cursor means the same as null: this is the last page. Without the conversion to null, the request for the
  // next page would have no cursor and return the first page again.
  const cursor = data.next_cursor ?? null
  // hasNextPage and nextPage are not enumerable. A page is therefore compared, logged and serialized without them,
  // exactly as the service returned it.
  return Object.defineProperties(data, {
    hasNextPage: { value: () => cursor !== null },
    nextPage: {
      value: () =>
        cursor === null
          ? new PagePromise(Promise.reject(new RangeError('this is the last page')), after)
          : after(cursor),
    },
  }) as Page<Item>
}
