// Starts a PostgreSQL server like an operator's: it listens on TCP, and the client programs have the same version
// as the server.

import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { chown, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findBinaries,
  isRoot,
  spawnAs,
  systemUser,
} from '../../packages/server/src/db/embedded/postgres-binaries.ts'

export type Postgres = { binaries: string; stop(): Promise<void> }

/**
 * Starts the PostgreSQL server. The superuser `postgres` needs no password. The log is written to
 * `<directory>.log`.
 */
export async function startPostgres(directory: string, port: number): Promise<Postgres> {
  const user = isRoot ? systemUser() : undefined
  const binaries = (await newestOfDebian()) ?? (await findBinaries(user, () => {}))
  const logFile = `${directory}.log`
  const log = openSync(logFile, 'a')
  const run = (program: string, args: string[]) =>
    spawnAs(user, 'KILL', join(binaries, program), args, ['ignore', log, log])
  const failed = async () => new Error(`PostgreSQL did not start:\n${await readFile(logFile, 'utf8')}`)

  await mkdir(directory)
  if (user) await chown(directory, user.uid, user.gid)
  const initdb = run('initdb', ['-D', directory, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8'])
  if ((await once(initdb, 'exit'))[0] !== 0) throw await failed()

  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  }
  const server = run('postgres', [
    '-D',
    directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const exited = once(server, 'exit')
  for (;;) {
    // Line 8 of PostgreSQL's file postmaster.pid is `ready` as soon as the server accepts connections.
    const pidFile = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
    if (pidFile.split('\n')[7]?.trim() === 'ready') break
    if (server.exitCode !== null || server.signalCode !== null) throw await failed()
    await sleep(20)
  }
  return {
    binaries,
    async stop() {
      server.kill('SIGINT')
      await exited
    },
  }
}

async function newestOfDebian(): Promise<string | undefined> {
  const home = '/usr/lib/postgresql'
  const versions = existsSync(home) ? await readdir(home) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map(version => join(home, version, 'bin'))
    .find(binaries => existsSync(join(binaries, 'initdb')) && existsSync(join(binaries, 'pg_dump')))
}
