// Replaces the addresses in the guides. The Markdown files contain those of a local installation. A page
// shows those of the serving installation, so that readers can copy the commands.

/** The addresses of this installation, without a slash at the end. */
export type Addresses = {
  /** The public address of the service. */
  service: string
  /** The address of the provider sandbox. If undefined, this installation has no sandbox. */
  sandbox?: string | undefined
}

/** Matches the default addresses, but not an address whose port number only starts with the same digits. */
const defaultService = /http:\/\/127\.0\.0\.1:8080(?!\d)/g
const defaultSandbox = /http:\/\/127\.0\.0\.1:8081(?!\d)/g

/**
 * Replaces the addresses of a local installation in the Markdown of a guide. A guide that chooses the ports
 * itself stays unchanged. So does a guide about a local sandbox if this installation has none.
 */
export function withAddresses(markdown: string, { service, sandbox }: Addresses): string {
  if (markdown.includes('PORT=8080')) return markdown
  if (sandbox === undefined && /127\.0\.0\.1:8081|demo\.json/.test(markdown)) return markdown
  const replaced = markdown.replace(defaultService, () => service)
  return sandbox === undefined ? replaced : replaced.replace(defaultSandbox, () => sandbox)
}
