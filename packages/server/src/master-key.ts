import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The embedded default's own key: made once, kept in the data directory, readable by its owner only. */
export async function keepMasterKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'master.key')
  try {
    return Buffer.from(await readFile(file, 'utf8'), 'base64')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const key = randomBytes(32)
    await writeFile(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    return key
  }
}
