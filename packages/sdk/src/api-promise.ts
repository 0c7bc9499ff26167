// What every call returns: a promise of the data that tells of the response, too, when asked.

/**
 * The data with the response that brought it. The body of `response` has been read.
 *
 * @example
 * const { data, requestId }: WithResponse<Payment> = await gapura.payments.get(id).withResponse()
 */
export type WithResponse<Data> = {
  data: Data
  response: Response
  /** Names the request in the service's logs. */
  requestId: string | undefined
}

/** As `Promise` types it, so that `.catch((error: GapuraError) => …)` compiles as it does there. */
type Reason = PromiseRejectedResult['reason']

/**
 * The promise of a call that is under way. Awaited it is the data.
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
    // Never settled itself: whoever asks for the response alone would be told of an unhandled rejection beside it.
    super(() => {})
    this.#answer = answer
  }

  /**
   * The data, the response with its status and headers, and the request id.
   *
   * @example
   * const { data, requestId } = await gapura.payments.get(id).withResponse()
   */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise is what this is.
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
 * A part of a list. `next_cursor` is null on the last one.
 *
 * @example
 * let page = await gapura.payments.list({ limit: 100 })
 * while (page.hasNextPage()) page = await page.nextPage()
 */
export type Page<Item> = {
  items: Item[]
  next_cursor: string | null
  hasNextPage(): boolean
  /** Rejects on the last page. */
  nextPage(): PagePromise<Item>
}

type PageData<Item> = { items: Item[]; next_cursor: string | null }

/**
 * The promise of a list. Awaited it is the first page; iterated it is every item of all pages, each page asked for
 * when it is reached.
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
  // One that is left out must not lead to the first page again, and so on for ever.
  const cursor = data.next_cursor ?? null
  // Not enumerable: a page is compared, logged and written as JSON as the service answered it.
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
