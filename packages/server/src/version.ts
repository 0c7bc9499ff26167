import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageDirectory } from './repository.ts'

const manifest = join(packageDirectory, 'package.json')

/** The version of the @gapura/server package, from its package.json. */
export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
