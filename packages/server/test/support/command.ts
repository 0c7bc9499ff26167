// Runs gapura-server commands, either in the test's process or in a separate one.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram } from '../../src/commands/program.ts'
import type { TestDatabase } from './database.ts'

const main = join(import.meta.dirname, '../../src/commands/main.ts')

export type Ended = { code: number | null; stdout: string; stderr: string }

/** Runs the command in the test's process. `input` is the text on its standard input. */
export async function runCommand(
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<Ended & { code: number }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const io = { env, stdin: Readable.from([input]), stdout, stderr }
  const code = await runProgram(args, io, async () => {
    throw new Error('this function cannot run the service, which needs its own process; use startCommand')
  })
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}

/** Starts a process without the test's environment variables, because some of them could configure a database. */
export const startCommand = (args: string[], env: Record<string, string>): ChildProcessWithoutNullStreams =>
  spawn(main, args, { env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...env } })

/** Runs the command in a separate process and waits for it to exit. */
export async function runProcess(args: string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const child = startCommand(args, env)
  const exited = once(child, 'exit') as Promise<[number | null]>
  // The command may exit without reading its standard input. In that case, a failed write to its input is not an
  // error.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  return { code, stdout, stderr }
}

export const base64 = (key: Buffer): string => key.toString('base64')

export const masterKey = randomBytes(32)

export const envOf = ({ url }: TestDatabase, more: Record<string, string> = {}) => ({
  DATABASE_URL: url,
  GAPURA_MASTER_KEY: base64(masterKey),
  ...more,
})
