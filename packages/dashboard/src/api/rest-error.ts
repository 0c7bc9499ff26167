export class RestError extends Error {
  /** The API's error code; empty if the response did not come from the API. */
  readonly code: string

  constructor({ code, message }: { code: string; message: string }) {
    super(message)
    this.name = 'RestError'
    this.code = code
  }
}
