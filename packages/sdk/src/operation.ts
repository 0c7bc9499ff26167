// What the generated operations are, and what their types say.

/** Made by the generator: the types of request and responses are carried along and never there at run time. */
export type Operation<Request, Responses> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Of the body, where it is not JSON. */
  readonly contentType?: string
  readonly types?: { request: Request; responses: Responses }
}

/** What an operation is given: parts that it does not have are not there. */
export type RequestOf<Request> = {
  [Part in keyof Omit<Request, 'url'>]: Loose<Omit<Request, 'url'>[Part]>
}

/** What it answers, the envelope taken off. */
export type DataOf<Responses> = Responses extends { 200: { success: true; data: infer Data } } ? Data : never

/** The query of a generated operation; a filter that is `undefined` is one that is left out. */
export type QueryOf<Request extends { query?: unknown }> = Loose<NonNullable<Request['query']>>

/** Fields of which the optional ones may be `undefined` as well. */
export type Loose<Fields> = {
  [Name in keyof Fields]: undefined extends Fields[Name] ? Fields[Name] | undefined : Fields[Name]
}
