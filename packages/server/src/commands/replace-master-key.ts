import { adoptMasterKey, readMasterKey, stageMasterKey } from '../secrets/master-key.ts'
import { CommandError, USAGE } from './command-error.ts'
import { type Configured, withDatabase } from './database.ts'
import { type Rotation, rotateMasterKey } from './rotate-master-key.ts'

/**
 * Replaces the master key and re-encrypts all secrets in the database with the new one. Returns the messages for the
 * operator.
 */
export function replaceMasterKey(configured: Configured): Promise<string[]> {
  const { masterKey } = configured.config
  return masterKey ? replaceGivenKey(configured, masterKey) : replaceKeptKey(configured)
}

/**
 * Replaces a master key that is set in the configuration. Afterward, the operator must set the new key there
 * before the service can start again.
 */
function replaceGivenKey(configured: Configured, from: Buffer): Promise<string[]> {
  const to = configured.config.newMasterKey
  if (!to) throw missing()
  refuseSame(from, to)
  return withDatabase(configured, async ({ db }) => [
    summary(await rotateMasterKey({ db }, { from, to }, configured.progress)),
    'Start the service with the new key as GAPURA_MASTER_KEY and without GAPURA_NEW_MASTER_KEY.',
  ])
}

/**
 * Replaces a master key stored as a file in the data directory. The new key is stored in a second file before it
 * encrypts any secret, so that an interruption cannot lose the key. When all secrets are encrypted with the new key,
 * the second file replaces the first file.
 */
function replaceKeptKey(configured: Configured): Promise<string[]> {
  const { config, progress } = configured
  return withDatabase(
    configured,
    async ({ db }) => {
      const from = await readMasterKey(config.dataDir)
      if (!from) throw new CommandError(`no master key found in ${config.dataDir}`)
      const to = await stageMasterKey(config.dataDir, config.newMasterKey)
      if (to === undefined) throw missing()
      if (to === 'another')
        throw new CommandError(
          'an earlier rotation is not finished; run this command without GAPURA_NEW_MASTER_KEY to finish it first',
        )
      refuseSame(from, to)
      const rotation = await rotateMasterKey({ db }, { from, to }, progress)
      await adoptMasterKey(config.dataDir)
      return [
        summary(rotation),
        `The new key is stored in ${config.dataDir}. The service uses it automatically.`,
      ]
    },
    { alone: true },
  )
}

const missing = () =>
  new CommandError('GAPURA_NEW_MASTER_KEY is not set; create a key with: openssl rand -base64 32', USAGE)

function refuseSame(from: Buffer, to: Buffer): void {
  if (from.equals(to))
    throw new CommandError('GAPURA_NEW_MASTER_KEY must differ from the current master key', USAGE)
}

const summary = ({ resealed, already }: Rotation): string =>
  `Re-encrypted: ${resealed}. Already encrypted with the new key: ${already}.`
