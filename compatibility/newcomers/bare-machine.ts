// Creates an environment like a new machine. It contains the machine's Node and a clone of the repository in a path
// with a space. An unprivileged user runs the commands, with an empty home directory and no caches.

import { execFile, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { baseEnv, freePorts, hostPath, newDirectory } from '../docs/environment.ts'
import { root } from '../docs/pages.ts'
import type { Place } from '../docs/run-page.ts'
import type { Stopwatch } from './stopwatch.ts'

export type BareMachine = Place & { clone: string; remove(): Promise<void> }

const run = promisify(execFile)

/**
 * Clones the last commit of the tested repository into the folder `gapura` of this environment's directory.
 */
export async function bareMachine(stopwatch: Stopwatch): Promise<BareMachine> {
  const directory = await newDirectory('gapura newcomer-')
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const clone = join(directory, 'gapura')
    const user = ordinaryUser()
    // The URL starts with file://, because a clone by path would share files with the original repository.
    await stopwatch.time('', 'git clone', () =>
      run('git', ['clone', '--quiet', pathToFileURL(root).href, clone]),
    )
    if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, directory])
    const ports = await freePorts()
    const env = { ...baseEnv(directory, ports), PATH: hostPath() }
    return { directory, clone, ports, env, remove, ...(user && { user }) }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Returns the user that runs the commands. The embedded PostgreSQL does not run as root, so root uses an existing
 * unprivileged user.
 */
function ordinaryUser(): Place['user'] {
  if (process.geteuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map(flag => Number(spawnSync('id', [flag, 'nobody']).stdout))
  if (!uid || !gid)
    throw new Error(
      'the commands run as the user nobody, which does not exist on this machine; create it first',
    )
  return { uid, gid }
}
