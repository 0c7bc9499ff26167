import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { base64, envOf, masterKey, runCommand, startCommand } from '../../test/support/command.ts'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { saveRows } from '../../test/support/save-rows.ts'
import { displayPrefix, newApiKey } from '../auth/api-keys/api-key.ts'
import { findCredentialInBatch } from '../auth/auth.sql.ts'
import type { Db } from '../db/db.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { newId } from '../values/id.ts'
import { sealedColumns } from './sealed-columns.sql.ts'

const database = await testDatabase()
const restoreRows = await saveRows(database)
beforeEach(restoreRows)

describe('the command rotate-master-key replaces the master key', () => {
  const next = randomBytes(32)
  const place = 'credentials of provider account x'

  async function fill(db: Db, accounts: number): Promise<{ key: string; sealed: string }> {
    const secrets = await loadSecrets(db, { masterKey })
    const tenantId = await makeTenant(db)
    const key = newApiKey('live')
    await db.raw(
      `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix) values (?, ?, 'live', 'old', ?, ?)`,
      [newId(), tenantId, secrets.hash(key), displayPrefix(key)],
    )
    await db.raw(
      `insert into webhook_endpoints (tenant_id, secret_sealed, previous_secret_sealed, previous_secret_expires_at)
       values (?, ?, ?, now())`,
      [tenantId, await secrets.encrypt('whsec_new', 'w'), await secrets.encrypt('whsec_old', 'w')],
    )
    const sealed = await secrets.encrypt('server key', place)
    await db.raw(
      `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
       select gen_random_uuid(), 'midtrans', 'test', 'n', ? from generate_series(1, ?::int)`,
      [sealed, accounts],
    )
    await db.raw(
      `insert into previous_provider_credentials (id, provider_account_id, credentials_sealed, replaced_at, valid_until)
       select gen_random_uuid(), id, ?, now(), now() + interval '1 day' from provider_accounts limit 1`,
      [await secrets.encrypt('old server key', place)],
    )
    return { key, sealed }
  }

  const sealedTexts = async (db: Db): Promise<string[]> => {
    const all = await Promise.all(
      sealedColumns.map(({ table, column }) =>
        db.raw(`select ${column} as sealed from ${table} where ${column} is not null`),
      ),
    )
    return all.flatMap(({ rows }) => rows.map(({ sealed }: { sealed: string }) => sealed))
  }

  test('rotate-master-key re-encrypts every database column that contains encrypted text', async () => {
    const { rows } = await database.db.raw(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%sealed%'
         and data_type in ('bytea', 'text') order by 1`,
    )
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(
      sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    )
  })

  test('rotate-master-key re-encrypts every secret, and every API key continues to work', async () => {
    const { key } = await fill(database.db, 3)
    await runCommand(['rotate-signing-key'], envOf(database))
    const both = envOf(database, { GAPURA_NEW_MASTER_KEY: base64(next) })
    const { code, stdout, stderr } = await runCommand(['rotate-master-key'], both)
    expect([code, stdout], stderr).toEqual([
      0,
      expect.stringMatching(
        /^Re-encrypted: 8\. Already encrypted with the new key: 0\.\nStart the service with the new key/,
      ),
    ])
    expect(stdout + stderr).not.toContain(base64(next))

    const secrets = await loadSecrets(database.db, { masterKey: next })
    for (const text of await sealedTexts(database.db)) {
      const header = JSON.parse(Buffer.from(text.split('.')[0] as string, 'base64url').toString())
      await secrets.decrypt(text, header.place)
    }
    expect(await findCredentialInBatch(database.db, secrets.hash(key))).toMatchObject({ mode: 'live' })
    await expect(loadSecrets(database.db, { masterKey })).rejects.toThrow('GAPURA_MASTER_KEY')

    const again = await runCommand(['rotate-master-key'], both)
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^Re-encrypted: 0\. Already encrypted with the new key: 8\.\n/),
    ])
    const { rows } = await database.db.raw(`select after from audit_log where action = 'master_key.rotate'`)
    expect(rows).toEqual([{ after: { resealed: 8, already: 0 } }, { after: { resealed: 0, already: 8 } }])
  })

  test('rotate-master-key completes a rotation that was killed halfway', async () => {
    const accounts = 400
    await fill(database.db, accounts)
    const both = envOf(database, { GAPURA_NEW_MASTER_KEY: base64(next) })
    // The test locks the last provider account, so that the command waits for this lock before it can finish. While the
    // command waits, the test kills it.
    await asOwner(database.db, owner =>
      owner.transaction(async tx => {
        await tx.raw('select from provider_accounts order by id desc limit 1 for update')
        const child = startCommand(['rotate-master-key'], both)
        const exited = once(child, 'exit')
        let said = ''
        for await (const chunk of child.stderr) {
          said += chunk
          if (said.includes('provider_accounts.credentials_sealed: 300 ')) break
        }
        child.kill('SIGKILL')
        expect(await exited, said).toEqual([null, 'SIGKILL'])
      }),
    )
    const old = await loadSecrets(database.db, { masterKey, newMasterKey: next })
    // During the rotation, some secrets are encrypted with the old key and some with the new key. A process that has
    // both keys can decrypt all secrets.
    for (const text of await sealedTexts(database.db))
      await old.decrypt(
        text,
        JSON.parse(Buffer.from(text.split('.')[0] as string, 'base64url').toString()).place,
      )

    const { code, stdout } = await runCommand(['rotate-master-key'], both)
    const [, resealed, already] =
      /^Re-encrypted: (\d+)\. Already encrypted with the new key: (\d+)\./.exec(stdout) ?? []
    expect([code, Number(resealed) + Number(already)]).toEqual([0, accounts + 4])
    expect(Number(already)).toBeGreaterThan(300)
    expect(Number(resealed)).toBeGreaterThan(0)
  })

  test('rotate-master-key rejects a new master key that is missing, invalid or unchanged', async () => {
    await loadSecrets(database.db, { masterKey })
    for (const [env, code, message] of [
      [{}, 2, 'GAPURA_NEW_MASTER_KEY is not set; create a key with: openssl rand -base64 32'],
      [
        { GAPURA_NEW_MASTER_KEY: base64(masterKey) },
        2,
        'GAPURA_NEW_MASTER_KEY must differ from the current master key',
      ],
      [
        { GAPURA_NEW_MASTER_KEY: 'c2hvcnQ=' },
        1,
        expect.stringContaining('GAPURA_NEW_MASTER_KEY: must be 32 bytes'),
      ],
    ] as const) {
      const ended = await runCommand(['rotate-master-key'], envOf(database, env as Record<string, string>))
      expect([ended.code, ended.stderr.replace(/^gapura-server: |\n$/g, '')]).toEqual([code, message])
    }
  })
})
