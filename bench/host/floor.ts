// Starts a floor: a separate process with the least code that does the same durable work as the product.

import { join } from 'node:path'
import { startChild } from './child.ts'

export type Floor = { url: string; pid: number; stop(): Promise<void> }

/** Starts a floor. `name` is the file in floor/ that starts the floor's server and responds with its URL. */
export async function startFloor(name: string, config: object): Promise<Floor> {
  const file = join(import.meta.dirname, '../floor', `${name}.ts`)
  const child = startChild<{ url: string }>(file, { config })
  const { url } = await child.next()
  return { url, pid: child.pid, stop: child.stop }
}
