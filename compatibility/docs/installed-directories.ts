// Reuses clones of the repository with installed packages. Installing the packages takes longer than running most
// documentation pages. Only one test at a time uses a clone.

import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { newDirectory } from './environment.ts'

/**
 * Returns a directory that an earlier test released, or a new one. Directories are not moved, because installed
 * packages work only at their original path.
 */
export async function takeDirectory(): Promise<string> {
  const all = inject('installedDirectories')
  const names = await readdir(all)
  for (const name of names.filter(each => each.endsWith('.free'))) {
    const directory = join(all, name.replace(/\.free$/, ''))
    // Several processes may try to rename a free directory's marker file at the same time, but only one of them
    // succeeds.
    const isTaken = await rename(`${directory}.free`, `${directory}.taken`).then(
      () => true,
      () => false,
    )
    if (isTaken) return directory
  }
  return newDirectory('checkout-', all)
}

/** Releases a directory returned by `takeDirectory`, so that another test can use it. */
export const giveBack = (directory: string): Promise<void> => writeFile(`${directory}.free`, '')
