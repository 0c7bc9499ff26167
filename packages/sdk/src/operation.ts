// Types for the generated operations and their requests and responses.

/**
 * A generated API operation. The field `types` exists only for TypeScript: it has the types of the request
 * and the responses, but no value at run time.
 */
export type Operation<Request, Responses> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The content type of the body if it is not JSON. */
  readonly contentType?: string
  /**
   * Whether the operation accepts an optional `X-Idempotency-Key`. With a key, the service makes the change only once,
   * even if the request is repeated.
   */
  readonly acceptsKey?: true
  readonly types?: { request: Request; responses: Responses }
}

/**
 * The parts of an operation's request: path, query, headers and body. Parts that the operation does not have are
 * absent.
 */
export type RequestOf<Request> = {
  [Part in keyof Omit<Request, 'url'>]: Loose<Omit<Request, 'url'>[Part]>
}

/** A successful response's data, without its envelope `{ success, data }`. */
export type DataOf<Responses> = Responses extends { 200: { success: true; data: infer Data } } ? Data : never

/** A generated operation's query. A filter with the value `undefined` is not sent. */
export type QueryOf<Request extends { query?: unknown }> = Loose<NonNullable<Request['query']>>

/** Changes an object type so that its optional fields may also be set to `undefined`. */
export type Loose<Fields> = {
  [Name in keyof Fields]: undefined extends Fields[Name] ? Fields[Name] | undefined : Fields[Name]
}
