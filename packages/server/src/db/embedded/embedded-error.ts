/**
 * Thrown when the embedded database cannot be started or used. The message is one line for the operator who started the
 * service.
 */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}
