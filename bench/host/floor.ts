// A floor: the least code that does the same durable work, as a process of its own.

import { join } from 'node:path'
import { startChild } from './child.ts'

export type Floor = { url: string; pid: number; stop(): Promise<void> }

/** name: of its file in floor/, which answers its configuration with its address. */
export async function startFloor(name: string, config: object): Promise<Floor> {
  const file = join(import.meta.dirname, '../floor', `${name}.ts`)
  const child = startChild<{ url: string }>(file, { config })
  const { url } = await child.next()
  return { url, pid: child.pid, stop: child.stop }
}
