/** What an answer of the REST surface says that went wrong. */
export class RestError extends Error {
  /** Of the API's table of errors; empty where what answered was not the API. */
  readonly code: string

  constructor({ code, message }: { code: string; message: string }) {
    super(message)
    this.name = 'RestError'
    this.code = code
  }
}
