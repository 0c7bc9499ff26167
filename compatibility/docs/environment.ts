// Creates the environment a documentation page's reader starts in: an empty home directory, the machine's commands,
// and free ports.

import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePortRange } from '../../packages/server/test/support/free-port.ts'

/**
 * Creates a directory that every user can read, because the embedded PostgreSQL does not run as root and needs to
 * read it.
 */
export async function newDirectory(prefix = 'gapura-page-', parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(join(parent, prefix))
  await chmod(directory, 0o755)
  await mkdir(join(directory, 'home'))
  return directory
}

/**
 * Returns the environment variables for the code of a documentation page. The home directory is
 * `<home>/home`.
 */
export function baseEnv(home: string, ports: Map<string, number>): Record<string, string> {
  // The code on a documentation page downloads packages, so it gets this machine's settings for package
  // registries and proxies.
  const network = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cafile|strict_ssl|proxy|https_proxy)|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|NPM_CONFIG_REGISTRY)$/i.test(
      name,
    ),
  )
  return {
    ...(Object.fromEntries(network) as Record<string, string>),
    HOME: join(home, 'home'),
    LANG: 'C.UTF-8',
    // The update notifier is off, because npm would print notices about its new versions.
    npm_config_update_notifier: 'false',
    PORT: String(ports.get('8080')),
  }
}

/**
 * Returns the machine's PATH without the directories that npm and our scripts add. The system directories /usr/sbin and
 * /sbin are added, because an operator's PATH contains them.
 */
export const hostPath = (): string =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .filter(directory => !directory.includes('node_modules'))
    .join(delimiter)

/**
 * Maps each port that a page may use to a free port. These ports belong to the service, its sandbox, further
 * processes, a merchant's servers, and PostgreSQL.
 */
export async function freePorts(): Promise<Map<string, number>> {
  const base = await freePortRange(21)
  const named = (first: number, count: number, offset: number) =>
    Array.from({ length: count }, (_, index) => [String(first + index), base + offset + index] as const)
  return new Map([...named(8080, 10, 0), ...named(3000, 10, 10), ...named(5432, 1, 20)])
}
