// Runs the real gapura-server command in a process of its own.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestDatabase } from './database.ts'

const main = join(import.meta.dirname, '../../src/commands/main.ts')

export type Ended = { code: number | null; stdout: string; stderr: string }

/** Starts the command without the environment variables of the test, which could configure a database. */
export const startCommand = (args: string[], env: Record<string, string>): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...env } })

/** Runs the command until it ends. `input` is the text for its standard input. */
export async function runCommand(args: string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const child = startCommand(args, env)
  const exited = once(child, 'exit') as Promise<[number | null]>
  // A command that does not read its input may already have exited.
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
