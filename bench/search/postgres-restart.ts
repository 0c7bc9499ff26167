// Restarts PostgreSQL with cold caches.

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Postgres, startPostgres } from '../host/postgres.ts'

const run = promisify(execFile)
/** The maximum number of files per command, because a command line has a maximum length. */
const FILES = 500

/** Stops PostgreSQL, removes its files from the operating system's cache, and starts it again. */
export async function restartCold(postgres: Postgres, dataDir: string): Promise<Postgres> {
  await postgres.stop()
  const entries = await readdir(join(dataDir, 'postgres', 'base'), { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  // The command `dd` removes each file from the operating system's cache. With count=0, it reads nothing, and
  // `nocache` makes the kernel drop the file from its cache.
  for (let from = 0; from < files.length; from += FILES)
    await run('sh', [
      '-c',
      'for file; do dd if="$file" of=/dev/null iflag=nocache count=0 status=none; done',
      'sh',
      ...files.slice(from, from + FILES),
    ])
  return startPostgres(dataDir)
}
