/** The embedded database cannot be had. The message is one line, meant for whoever started the service. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}
