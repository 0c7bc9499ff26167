import { createDb } from '../db/db.ts'

export async function isReachable(url: string): Promise<boolean> {
  const db = createDb(url, { max: 1, name: 'gapura-command' })
  try {
    await db.raw('select 1')
    return true
  } catch {
    return false
  } finally {
    await db.destroy()
  }
}
