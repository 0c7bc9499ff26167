// Checks the clients that generators for other languages produce from the API document: each compiles and completes a
// payment at a running service. A missing tool fails its test; compatibility/clients/ensure-languages.sh installs it.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const document = join(import.meta.dirname, '../../openapi/openapi.json')
const demo = inject('demo')

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gapura-languages-'))
  await cp(join(import.meta.dirname, 'languages'), root, { recursive: true })
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Runs the tool and returns its output. If the tool fails, the error contains the output. */
async function run(command: string, args: string[], cwd: string, env = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 280_000, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(command, args, options).catch(error => {
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr || error.message}`)
  })
  return stdout
}

/** Runs the program and checks what it reports about its payments. */
async function completesAPayment(command: string, args: string[], cwd: string): Promise<void> {
  const stdout = await run(command, args, cwd, {
    BASE_URL: demo.base_url,
    SANDBOX_URL: demo.sandbox_url,
    API_KEY: demo.client.test_key,
  })
  expect(JSON.parse(stdout)).toEqual({
    va_number: expect.stringMatching(/^\d{6,}$/),
    status: 'paid',
    amount_paid: 10_000_000,
    refused: 'BAD_REQUEST',
  })
}

test('openapi-python-client generates a client that completes a payment and reads a typed error', async () => {
  const cwd = join(root, 'python')
  const bin = join(cwd, 'venv/bin')
  await run('python3', ['-m', 'venv', 'venv'], cwd)
  await run(join(bin, 'pip'), ['install', '--quiet', '--requirement', 'requirements.txt'], cwd)
  const generate = [
    'generate',
    '--path',
    document,
    '--config',
    'openapi-python-client.yaml',
    '--meta',
    'none',
  ]
  await run(join(bin, 'openapi-python-client'), generate, cwd, {
    // The generator formats its code with the tool ruff of the same environment.
    PATH: `${bin}:${process.env.PATH}`,
  })
  await completesAPayment(join(bin, 'python'), ['program.py'], cwd)
})

test('oapi-codegen generates a client that completes a payment and reads a typed error', async () => {
  const cwd = join(root, 'go')
  // This setting makes Go use its installed version and not download another.
  const local = { GOTOOLCHAIN: 'local' }
  await run('mkdir', ['gapura'], cwd)
  const generate = [
    'tool',
    'oapi-codegen',
    '-config',
    'oapi-codegen.yaml',
    '-o',
    'gapura/gapura.go',
    document,
  ]
  await run('go', generate, cwd, local)
  await run('go', ['build', '-mod=readonly', '-buildvcs=false', '-o', 'program', '.'], cwd, local)
  await completesAPayment(join(cwd, 'program'), [], cwd)
})
