// The master key for a service with the embedded database: a file in the data directory that only the file's owner
// can read. During a rotation, a second file contains the next key.

import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { MasterKeys } from './secrets.ts'

const fileIn = (dataDir: string) => join(dataDir, 'master.key')
const nextFileIn = (dataDir: string) => join(dataDir, 'master.key.new')

/**
 * Returns the configured master keys. If none is configured, returns the key in the data directory, without a
 * `newMasterKey`. The data directory may also contain the next key, but only the rotation command uses that key.
 */
export async function masterKeysOf(
  config: Pick<Config, 'masterKey' | 'newMasterKey' | 'dataDir'>,
): Promise<MasterKeys> {
  const { masterKey, newMasterKey, dataDir } = config
  return masterKey
    ? { masterKey, newMasterKey }
    : { masterKey: await loadOrCreateMasterKey(dataDir), newMasterKey: undefined }
}

async function loadOrCreateMasterKey(dataDir: string): Promise<Buffer> {
  if (await readKey(nextFileIn(dataDir)))
    throw new ConfigError(
      `the rotation of the master key in ${dataDir} is not finished; finish it with: gapura-server rotate-master-key`,
    )
  const existing = await readMasterKey(dataDir)
  if (existing) return existing
  const key = randomBytes(32)
  await writeKey(fileIn(dataDir), key)
  return key
}

export const readMasterKey = (dataDir: string): Promise<Buffer | undefined> => readKey(fileIn(dataDir))

/**
 * Returns the new master key for a rotation. If an interrupted rotation left a next key in the data directory, returns
 * this stored key. Otherwise, stores `newKey` there and returns it. If there is both a stored key and a different
 * `newKey`, returns 'another'.
 */
export async function stageMasterKey(
  dataDir: string,
  newKey: Buffer | undefined,
): Promise<Buffer | 'another' | undefined> {
  const staged = await readKey(nextFileIn(dataDir))
  if (staged) return newKey && !newKey.equals(staged) ? 'another' : staged
  if (newKey) await writeKey(nextFileIn(dataDir), newKey)
  return newKey
}

export const adoptMasterKey = (dataDir: string): Promise<void> => rename(nextFileIn(dataDir), fileIn(dataDir))

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    return Buffer.from(await readFile(file, 'utf8'), 'base64')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/**
 * Writes a key file atomically and flushes it to disk, so that the key is stored before any secret is encrypted
 * with it.
 */
async function writeKey(file: string, key: Buffer): Promise<void> {
  await writeFile(`${file}.part`, `${key.toString('base64')}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
}
