// Replaces the addresses of a local installation, which the Markdown files of the guides contain, with those of the
// installation that serves the page. Readers can therefore copy the commands.

/** This installation's addresses, without a trailing slash. */
export type Addresses = {
  /** The service's public address. */
  service: string
  /** The provider sandbox's address. If undefined, this installation has no sandbox. */
  sandbox?: string | undefined
}

/**
 * These expressions match the default addresses only with their exact port. An address with the port 80801,
 * for example, does not match.
 */
const defaultService = /http:\/\/127\.0\.0\.1:8080(?!\d)/g
const defaultSandbox = /http:\/\/127\.0\.0\.1:8081(?!\d)/g

/**
 * Replaces the default addresses in a guide's Markdown with this installation's addresses. A guide stays unchanged if
 * its commands set the ports, or if it is about the local sandbox and this installation has no sandbox.
 */
export function withAddresses(markdown: string, { service, sandbox }: Addresses): string {
  if (markdown.includes('PORT=8080')) return markdown
  if (sandbox === undefined && /127\.0\.0\.1:8081|demo\.json/.test(markdown)) return markdown
  const replaced = markdown.replace(defaultService, () => service)
  return sandbox === undefined ? replaced : replaced.replace(defaultSandbox, () => sandbox)
}
