// Starts another process of the service on a test's database.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { until } from './merchant.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** Starts the process and waits until it is ready. The process is killed at the end of the test file. */
export async function startOnDatabase(
  { databaseUrl, masterKey }: Pick<TestApp, 'databaseUrl' | 'masterKey'>,
  { port, publicUrl }: { port: number; publicUrl: string },
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      GAPURA_MASTER_KEY: masterKey.toString('base64'),
      GAPURA_PUBLIC_URL: publicUrl,
      GAPURA_LOG_LEVEL: 'silent',
      PORT: String(port),
    },
    stdio: 'ignore',
  })
  atEnd(() => void child.kill('SIGKILL'))
  await until('the process is ready', () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      response => response.ok,
      () => false,
    ),
  )
  return child
}
