// Lets tests reuse clones of the repository with installed packages, because installing the packages takes longer than
// running most documentation pages. Only one test at a time uses a clone.

import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { newDirectory } from './environment.ts'

/**
 * Returns a directory with installed packages that an earlier test no longer uses, or a new directory. The packages
 * work only at their original path, so a directory is never moved.
 */
export async function takeDirectory(): Promise<string> {
  const all = inject('installedDirectories')
  const names = await readdir(all)
  for (const name of names.filter(each => each.endsWith('.free'))) {
    const directory = join(all, name.replace(/\.free$/, ''))
    // A process reserves the directory by renaming its marker file from `.free` to `.taken`. If several processes try
    // this at the same time, only one of them succeeds.
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
