import type { Db, Tx } from '../../db/db.ts'

export type Passkey = {
  id: string
  credentialId: string
  publicKey: Buffer
  counter: bigint
  transports: string[]
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const { rows } = await db.raw<{ rows: Passkey[] }>(
    `select id, credential_id as "credentialId", public_key as "publicKey", counter, transports, name,
            created_at as "createdAt", last_used_at as "lastUsedAt"
     from passkeys where user_id = ? order by id`,
    [userId],
  )
  return rows
}

/** Inserts a passkey. Returns false if a user has already registered this passkey. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<Passkey, 'lastUsedAt'> & { userId: string },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
     values (:id, :userId, :credentialId, :publicKey, :counter, :transports, :name, :createdAt)
     on conflict do nothing returning id`,
    { ...passkey, counter: String(passkey.counter) },
  )
  return rows.length > 0
}

/**
 * Records a passkey's use. Returns false if its signature counter has not increased, because a copy of the passkey
 * may be in use. A passkey without a counter always sends 0, which is accepted.
 */
export async function notePasskeyUse(db: Db, id: string, counter: number, at: Date): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update passkeys set counter = :counter, last_used_at = :at
     where id = :id and (counter < :counter or counter = 0 and :counter = 0) returning id`,
    { id, counter, at },
  )
  return rows.length > 0
}

/** Deletes one of the user's passkeys. Returns its name, or undefined if the user has no such passkey. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.raw<{ rows: { name: string }[] }>(
    'delete from passkeys where user_id = ? and id = ? returning name',
    [userId, id],
  )
  return rows[0]?.name
}
