// A floor: a separate process with the least code that does the same durable work.

import { join } from 'node:path'
import { startChild } from './child.ts'

export type Floor = { url: string; pid: number; stop(): Promise<void> }

/** name: of the file in floor/ that serves the floor and responds with its URL. */
export async function startFloor(name: string, config: object): Promise<Floor> {
  const file = join(import.meta.dirname, '../floor', `${name}.ts`)
  const child = startChild<{ url: string }>(file, { config })
  const { url } = await child.next()
  return { url, pid: child.pid, stop: child.stop }
}
