// Starts a reference program in a separate process. A reference program (floor) stores the same data as the service
// with as little code as possible. Benchmarks compare the service with it.

import { join } from 'node:path'
import { startChild } from './child.ts'

export type Floor = { url: string; pid: number; stop(): Promise<void> }

/**
 * Starts a reference program (floor). `name` is the file in floor/ that starts the program's server and responds
 * with the server's URL.
 */
export async function startFloor(name: string, config: object): Promise<Floor> {
  const file = join(import.meta.dirname, '../floor', `${name}.ts`)
  const child = startChild<{ url: string }>(file, { config })
  const { url } = await child.next()
  return { url, pid: child.pid, stop: child.stop }
}
