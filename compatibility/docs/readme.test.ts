// Runs commands with each supported Node version: the README's commands that start the service and pay, and
// ./gapura, ./gapura-server and ./gapura-sandbox. The path to the clone contains a space.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { end, untilReady } from '../support/service-process.ts'
import { root } from './pages.ts'
import { hostNode, installedPlace, type MadePlace } from './places.ts'
import { readCommand } from './read-command.ts'

let place: MadePlace

beforeAll(async () => {
  place = await installedPlace()
})
afterAll(() => place?.remove())

const versions = [20, 22, 24, 26]

/** Returns the environment with this Node version first in PATH. */
const withNode = (version: number): Record<string, string> => ({
  ...place.env,
  PATH: `${dirname(hostNode(version))}:${place.env.PATH}`,
})

test.each(versions)(
  'the README’s commands start the service and create a payment, with Node %i in PATH',
  async version => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const start = readCommand(readme, 'npm start')
    const create = readCommand(readme, './gapura payments create')

    // The first start creates the database. Each later start uses this database with another Node version, as after an
    // upgrade of Node.
    const dataDir = join(place.directory, '.gapura')
    const env: Record<string, string> = { ...withNode(version), GAPURA_DATA_DIR: dataDir }
    const service = spawn('sh', ['-c', start], { cwd: place.directory, env, detached: true })
    onTestFinished(() => end(service))
    const baseUrl = `http://127.0.0.1:${env.PORT}`
    await untilReady(service, baseUrl)

    const { client } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', create], {
      cwd: place.directory,
      env: { ...env, GAPURA_API_KEY: client.test_key, GAPURA_BASE_URL: baseUrl },
    })
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^Rp\s100\.000 is pending/), ''])
  },
)

describe.each(versions)('the commands in a clone of the repository work with Node %i in PATH', version => {
  const run = (command: string, args: string[], { cwd = place.directory, input = '' } = {}) =>
    new Promise<object>(resolve => {
      const child = execFile(command, args, { cwd, env: withNode(version) }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }),
      )
      child.stdin?.end(input)
    })

  test('a command in a clone of the repository prints only its own output, even through a symbolic link', async () => {
    const printed = { code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' }
    expect(await run('./gapura', ['--version'])).toEqual(printed)
    expect(await run(join(place.directory, 'gapura'), ['--version'], { cwd: '/' })).toEqual(printed)
    const link = join(place.directory, `link-${version}`)
    await symlink(join(place.directory, 'gapura'), link)
    expect(await run(link, ['--version'], { cwd: '/' })).toEqual(printed)
    expect(await run('npm', ['run', '--silent', 'gapura', '--', '--version'])).toEqual(printed)
  })

  test('commands run in a clone keep arguments with spaces, standard input and the exit code', async () => {
    expect(await run('./gapura-server', ['create-owner', '--email', 'no email'], { input: 'short' })).toEqual(
      {
        code: 2,
        stdout: '',
        stderr: 'gapura-server: --email: must be an email address\n',
      },
    )
    const short = await run('./gapura-server', ['create-owner', '--email', 'owner@example.com'], {
      input: 'short',
    })
    expect(short).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('8 characters') })
  })

  test('if a command in a clone of the repository is killed, none of its processes is left', async () => {
    const env = { ...withNode(version), SANDBOX_PORT: '0' }
    const sandbox = spawn('./gapura-sandbox', {
      cwd: place.directory,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(sandbox.stdout, 'data')
    sandbox.kill('SIGKILL')
    const closed = once(sandbox.stdout, 'close') // After the event `close`, no process can write to the sandbox's output.
    expect(await once(sandbox, 'exit')).toEqual([null, 'SIGKILL'])
    await closed
  })
})
