// Replaces the addresses in the guides. The Markdown files contain the addresses of a local installation. Each page
// shows the addresses of the installation that serves it, so that readers can copy the commands.

/** This installation's addresses, without a trailing slash. */
export type Addresses = {
  /** The service's public address. */
  service: string
  /** The provider sandbox's address. If undefined, this installation has no sandbox. */
  sandbox?: string | undefined
}

/** Matches the default addresses, but not an address whose port number only starts with the same digits. */
const defaultService = /http:\/\/127\.0\.0\.1:8080(?!\d)/g
const defaultSandbox = /http:\/\/127\.0\.0\.1:8081(?!\d)/g

/**
 * Replaces the addresses of a local installation in a guide's Markdown. If the guide's commands set the ports, the
 * guide stays unchanged. A guide about the local sandbox also stays unchanged if this installation has no sandbox.
 */
export function withAddresses(markdown: string, { service, sandbox }: Addresses): string {
  if (markdown.includes('PORT=8080')) return markdown
  if (sandbox === undefined && /127\.0\.0\.1:8081|demo\.json/.test(markdown)) return markdown
  const replaced = markdown.replace(defaultService, () => service)
  return sandbox === undefined ? replaced : replaced.replace(defaultSandbox, () => sandbox)
}
