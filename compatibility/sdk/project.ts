// Creates projects whose only dependency is the packed SDK, installed as a merchant would install it.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, expect, inject } from 'vitest'
import { copyProject } from '../support/installed-project.ts'
import type { Outcome, Place } from './programs/outcome.ts'

/** The directory with the compilers and bundlers used by the projects, which are installed only for these tests. */
export const tools = join(import.meta.dirname, '../node_modules')

const ends: (() => unknown)[] = []

/**
 * Calls `end` after the last test of the file. Functions run in the reverse order of their registration.
 * `afterAll` is not enough, because Vitest never calls an `afterAll` function that is registered inside a
 * hook or a test.
 */
export const atEnd = (end: () => unknown): void => void ends.unshift(end)

afterAll(async () => {
  for (const end of ends) await end()
})

/**
 * Creates a project directory that contains the given files and the installed SDK. The directory is removed
 * at the end of the test file.
 */
export async function newProject(
  type: 'module' | 'commonjs',
  files: Record<string, string> = {},
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-sdk-'))
  atEnd(() => rm(directory, { recursive: true, force: true }))
  await copyProject('sdk', directory, type)
  await write(directory, files)
  return directory
}

export async function write(directory: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
}

export type Run = { cwd: string; env?: Record<string, string> }

/** Runs the command and returns its output. If the command fails, the error contains the output from both streams. */
export async function run(command: string, args: string[], { cwd, env = {} }: Run): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  try {
    return (await promisify(execFile)(command, args, options)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')}: ${(error as Error).message}\n${stdout}\n${stderr}`)
  }
}

/** Returns the source files of the test programs, as TypeScript or as JavaScript for one module system. */
export async function programs(as: 'ts' | 'esm' | 'cjs'): Promise<Record<string, string>> {
  const names = ['outcome', 'pay-and-verify', 'main', 'types']
  const files = names.map(async name => {
    const source = await readFile(join(import.meta.dirname, 'programs', `${name}.ts`), 'utf8')
    if (as === 'ts') return [`${name}.ts`, source]
    return [`${name}.js`, (await transform(source, { loader: 'ts', format: as, platform: 'node' })).code]
  })
  return Object.fromEntries(await Promise.all(files))
}

export function place(): Place {
  const { base_url, client, sandbox_url } = inject('demo')
  return {
    baseUrl: base_url,
    apiKey: client.test_key,
    sandboxUrl: sandbox_url,
    webhookSecret: client.webhook_secret,
  }
}

/**
 * Runs the main program of a test project and checks its result. The program completes a payment, verifies a webhook
 * and rejects a webhook with an invalid signature.
 */
export async function expectPaid(command: string, args: string[], cwd: string): Promise<void> {
  const output = await run(command, args, { cwd, env: { PLACE: JSON.stringify(place()) } })
  expectOutcome(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
}

export function expectOutcome(outcome: Outcome): void {
  expect(outcome).toEqual({
    account: expect.stringMatching(/^\d{8,}$/),
    status: 'paid',
    event: 'payment.paid',
    amount: 10_000_000,
    forgery: 'INVALID_WEBHOOK',
  })
}
