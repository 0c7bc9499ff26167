import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Packed } from './packed.ts'

/**
 * Creates a project with the given module system in `directory`, and installs our packages there from tarballs with
 * npm.
 */
export async function copyProject(
  name: keyof Packed['projects'],
  directory: string,
  type: 'module' | 'commonjs',
): Promise<void> {
  await cp(inject('packed').projects[name], directory, { recursive: true, verbatimSymlinks: true })
  const manifest = join(directory, 'package.json')
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), type }))
}
