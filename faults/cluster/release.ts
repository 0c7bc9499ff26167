// The code of one release: the tested code, or an earlier release that a fault-injection round upgrades under load.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type * as Merchants from './merchants.ts'
import type * as Credentials from './rotate-credentials.ts'

const run = promisify(execFile)

/** The root directory of a service release's code. */
export type Release = string

export const thisRelease: Release = join(import.meta.dirname, '../..')

export const mainOf = (release: Release): string => join(release, 'packages/server/src/main.ts')

/**
 * Loads the given release's own code for creating the test's merchants, because this code must match the
 * tables of that release.
 */
export const loadMerchants = (release: Release): Promise<typeof Merchants> =>
  import(join(release, 'faults/cluster/merchants.ts'))

export const loadCredentials = (release: Release): Promise<typeof Credentials> =>
  import(join(release, 'faults/cluster/rotate-credentials.ts'))

/** Extracts a release from the Git history and installs its packages. `reference` is a Git tag or commit. */
export async function checkOutRelease(
  reference: string,
): Promise<{ release: Release; remove(): Promise<void> }> {
  const release = await mkdtemp(join(tmpdir(), 'gapura-release-'))
  const archive = join(release, 'release.tar')
  await run('git', ['-C', thisRelease, 'archive', '--output', archive, reference])
  await run('tar', ['-xf', archive, '-C', release])
  await run(process.execPath, ['scripts/with-deps.mjs', 'true'], { cwd: release })
  return { release, remove: () => rm(release, { recursive: true, force: true }) }
}
