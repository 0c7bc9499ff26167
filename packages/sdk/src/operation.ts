// Types of the generated operations and of their requests and responses.

/**
 * An operation made by the generator. `types` only carries the request and response types; it is never set at run
 * time.
 */
export type Operation<Request, Responses> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Content type of the body, if it is not JSON. */
  readonly contentType?: string
  readonly types?: { request: Request; responses: Responses }
}

/** The parts of an operation's request: path, query, headers and body, as far as the operation has them. */
export type RequestOf<Request> = {
  [Part in keyof Omit<Request, 'url'>]: Loose<Omit<Request, 'url'>[Part]>
}

/** The data of a successful response, without the envelope. */
export type DataOf<Responses> = Responses extends { 200: { success: true; data: infer Data } } ? Data : never

/** The query of a generated operation. A filter that is `undefined` is left out. */
export type QueryOf<Request extends { query?: unknown }> = Loose<NonNullable<Request['query']>>

/** The same fields, except that optional ones also accept `undefined`. */
export type Loose<Fields> = {
  [Name in keyof Fields]: undefined extends Fields[Name] ? Fields[Name] | undefined : Fields[Name]
}
