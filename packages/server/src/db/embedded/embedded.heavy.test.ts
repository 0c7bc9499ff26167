import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from './embedded.ts'
import { EmbeddedError } from './embedded-error.ts'
import { stopOrphanedPostgres } from './left-over-postgres.ts'
import { isRoot } from './postgres-binaries.ts'

let existing: string
let home: string
let dataDir: string
const running: Embedded[] = []
const children: ChildProcess[] = []

const openDirectory = async () => {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'gapura embedded '))
  await chmod(directory, 0o755)
  return directory
}

// Most tests in this file share this database, because creating a database takes longer than running a test.
beforeAll(async () => {
  existing = await openDirectory()
  await (await startEmbedded({ dataDir: existing, log() {}, durable: false })).stop()
})

afterAll(() => rm(existing, { recursive: true }))

beforeEach(async () => {
  home = await openDirectory()
  dataDir = join(home, 'new')
})

afterEach(async () => {
  for (const embedded of running.splice(0)) await embedded.stop()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
  if (cluster) await stopOrphanedPostgres(cluster, () => {})
  const socketDir = await realpath(join(dataDir, 'socket')).catch(() => undefined)
  if (socketDir) await rm(socketDir, { recursive: true, force: true })
  await rm(home, { recursive: true, force: true })
})

async function start(log: (line: string) => void = () => {}) {
  const embedded = await startEmbedded({ dataDir, log, durable: false })
  running.push(embedded)
  return embedded
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/**
 * Writes a unique value to the database and returns it. The function `kept` reads this value later, to check that it
 * still exists.
 */
async function keep(url: string) {
  const word = randomUUID()
  await query(url, `drop table if exists kept; create table kept as select '${word}' as word`)
  return word
}

const kept = async (url: string) => (await query(url, 'select word from kept'))[0]?.word

/**
 * Starts a second process with an embedded database in the same data directory. Returns its URLs, or the error message
 * if the start was rejected.
 */
async function startElsewhere() {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('embedded.ts', import.meta.url).href)}
    const dataDir = ${JSON.stringify(dataDir)}
    const started = startEmbedded({ dataDir, log() {}, durable: false })
    process.send(await started.then(({ url, ownerUrl }) => ({ url, ownerUrl }), error => ({ refused: error.message })))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  const [answer] = (await once(child, 'message')) as [{ url: string; ownerUrl: string; refused?: string }]
  return { child, ...answer }
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/**
 * Returns whether the process is running. A zombie, which has ended but whose exit status its parent has not
 * read, does not count as running.
 */
function isRunning(pid: number | undefined) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout !== '' && !stdout.startsWith('Z')
}

const postmasterPid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

describe('the embedded database', () => {
  test('the embedded database is PostgreSQL 18, stores text in UTF-8, commits durably and accepts only local connections', async () => {
    const embedded = await startEmbedded({ dataDir, log() {} })
    running.push(embedded)
    const [row] = await query(
      embedded.url,
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
              current_setting('server_encoding') as encoding, current_setting('listen_addresses') as tcp,
              lower('É') as folded`,
    )
    expect(row).toEqual({ version: 18, fsync: 'on', encoding: 'UTF8', tcp: '', folded: 'é' })
    const socketDir = await realpath(join(dataDir, 'socket'))
    expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
  })

  test('the role that owns the embedded database is not a superuser, but may read the statement statistics', async () => {
    dataDir = existing
    const { url } = await start()
    const sql = `select current_user::text as name, rolsuper as super from pg_roles where rolname = current_user`
    expect(await query(url, sql)).toEqual([{ name: 'gapura', super: false }])
    expect(await query(url, 'select count(*) > 0 as some from pg_stat_statements')).toEqual([{ some: true }])
  })

  test('the embedded database keeps its data across a restart', async () => {
    dataDir = existing
    const first = await start()
    const word = await keep(first.ownerUrl)
    await first.stop()
    expect(await kept((await start()).ownerUrl)).toBe(word)
  })

  test('the embedded database reports when it exits unexpectedly', async () => {
    dataDir = existing
    const embedded = await start()
    process.kill(await postmasterPid(), 'SIGKILL')
    expect(await embedded.exited).toEqual({ asked: false, reason: expect.stringContaining('SIGKILL') })
  })

  test('after the embedded database has stopped, no process, socket or lock of it remains', async () => {
    dataDir = existing
    const embedded = await start()
    const pid = await postmasterPid()
    const socketDir = await realpath(join(dataDir, 'socket'))
    await embedded.stop()
    expect({ running: isRunning(pid), socket: existsSync(socketDir) }).toEqual({
      running: false,
      socket: false,
    })
    await start()
  })
})

describe('after a crash, the embedded database keeps its data and can be started again', () => {
  test('if the process that started the embedded database is killed, the database server stops', async () => {
    dataDir = existing
    const owner = await startElsewhere()
    const word = await keep(owner.ownerUrl)
    const abandoned = await postmasterPid()
    await kill(owner.child)
    const { ownerUrl } = await start()
    expect(await kept(ownerUrl)).toBe(word)
    expect(await postmasterPid()).not.toBe(abandoned)
    expect(isRunning(abandoned)).toBe(false)
  })

  test.runIf(process.platform === 'linux')(
    'the embedded database server stops when the process that started it ends, even if that process is killed with kill -9',
    async () => {
      dataDir = existing
      const owner = await startElsewhere()
      const abandoned = await postmasterPid()
      await kill(owner.child)
      await expect.poll(() => isRunning(abandoned)).toBe(false)
    },
  )

  test('the embedded database keeps its data after kill -9 of the server and its parent process', async () => {
    dataDir = existing
    const owner = await startElsewhere()
    const word = await keep(owner.ownerUrl)
    const postmaster = await postmasterPid()
    process.kill(postmaster, 'SIGSTOP')
    await kill(owner.child)
    process.kill(postmaster, 'SIGKILL')
    expect(await kept((await start()).ownerUrl)).toBe(word)
  })

  test('if a crashed service left a database server running, the next start of the service stops this server', async () => {
    dataDir = existing
    const owner = await startElsewhere()
    const postmaster = await postmasterPid()
    const asleep = query(owner.url, 'select pg_sleep(600)').catch(error => error.message)
    await expect
      .poll(() => query(owner.url, `select from pg_stat_activity where wait_event = 'PgSleep'`))
      .toHaveLength(1)
    process.kill(postmaster, 'SIGSTOP')
    await kill(owner.child)
    const lines: string[] = []
    await start(line => {
      lines.push(line)
      process.kill(postmaster, 'SIGCONT')
    })
    expect(lines).toEqual([expect.stringContaining(`${postmaster}`)])
    expect(await asleep).toMatch(/terminat/)
    expect(isRunning(postmaster)).toBe(false)
  })

  test("a pid file with another program's pid neither prevents a start nor stops this program", async () => {
    dataDir = existing
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    const stranger = spawn('sleep', ['600'], isRoot ? { uid, gid, cwd: '/' } : {})
    children.push(stranger)
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    await writeFile(pidFile, `${stranger.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n/tmp\n\n0 0\nready\n`)
    await start()
    expect(isRunning(stranger.pid)).toBe(true)
  })

  test('the embedded database starts even if its first start was killed before it was complete', async () => {
    await mkdir(join(dataDir, 'postgres-draft-aaaaaa'), { recursive: true })
    await writeFile(join(dataDir, 'postgres-draft-aaaaaa', 'PG_VERSION'), '18\n')
    await start()
    expect(existsSync(join(dataDir, 'postgres-draft-aaaaaa'))).toBe(false)
  })
})

describe('the embedded database starts only if its data directory is usable and not in use', () => {
  test('if a data directory is in use, a second start fails with an error that names the process', async () => {
    dataDir = existing
    const owner = await startElsewhere()
    const refused = startEmbedded({ dataDir, log() {} })
    await expect(refused).rejects.toThrow(
      new EmbeddedError(
        `data directory ${dataDir} is in use by process ${owner.child.pid}; stop it or set GAPURA_DATA_DIR`,
      ),
    )
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('only one of several services can start in a data directory; the others report its process', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, startElsewhere))
    const [winner, ...more] = answers.filter(answer => !answer.refused)
    expect(more).toEqual([])
    const told = answers.filter(answer => answer.refused).map(answer => answer.refused)
    expect(told).toEqual(Array(5).fill(expect.stringContaining(`process ${winner?.child.pid};`)))
  })

  test('starting the embedded database fails with a one-line error if its data directory cannot be created', async () => {
    await writeFile(join(home, 'file'), '')
    dataDir = join(home, 'file', 'data')
    await expect(start()).rejects.toThrow(/^data directory .* cannot be used: .*$/)
  })

  test('the embedded database fails with a one-line error if its data directory belongs to another PostgreSQL version', async () => {
    dataDir = existing
    const version = join(dataDir, 'postgres', 'PG_VERSION')
    await writeFile(version, '17\n')
    await expect(start()).rejects.toThrow(/was created by PostgreSQL 17, but this is PostgreSQL 18$/)
    await writeFile(version, '18\n')
  })

  test.runIf(isRoot)(
    'if other users cannot open the data directory, PostgreSQL’s user gets the right to pass through the directory, but not to list its files',
    async () => {
      await mkdir(dataDir, { mode: 0o700 })
      const lines: string[] = []
      await start(line => lines.push(line))
      expect({ lines, mode: (await stat(dataDir)).mode & 0o777 }).toEqual({ lines: [], mode: 0o711 })
    },
  )

  test.runIf(isRoot)(
    'if PostgreSQL’s user cannot enter a parent of the data directory, the data directory is moved, and its new location is logged',
    async () => {
      await chmod(home, 0o700)
      const lines: string[] = []
      const first = await start(line => lines.push(line))
      const word = await keep(first.ownerUrl)
      const elsewhere = await realpath(join(dataDir, 'postgres'))
      try {
        expect(elsewhere.startsWith(home)).toBe(false)
        expect(lines).toEqual([expect.stringContaining(elsewhere)])
        await first.stop()
        expect(await kept((await start()).ownerUrl)).toBe(word)
      } finally {
        for (const embedded of running.splice(0)) await embedded.stop()
        await rm(join(elsewhere, '..'), { recursive: true, force: true })
        await rmdir(join(elsewhere, '../..')).catch(() => {}) // the directory is not removed if it contains data of other processes
      }
    },
  )
})
