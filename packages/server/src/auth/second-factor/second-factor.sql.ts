import type { Db, Tx } from '../../db/db.ts'
import type { SecuritySettings } from '../../tenants/tenant.ts'

/**
 * A user's second factors: whether an authenticator app is enabled, and how many passkeys and recovery codes the
 * user has.
 */
export type Factors = { hasTotp: boolean; passkeys: number; recoveryCodes: number }

export async function findFactors(db: Db, userId: string): Promise<Factors> {
  const { rows } = await db.raw<{ rows: { hasTotp: boolean; passkeys: bigint; recoveryCodes: bigint }[] }>(
    `select exists (select from totp_secrets where user_id = :userId and confirmed_at is not null) as "hasTotp",
            (select count(*) from passkeys where user_id = :userId) as passkeys,
            (select count(*) from recovery_codes where user_id = :userId and used_at is null) as "recoveryCodes"`,
    { userId },
  )
  const { hasTotp = false, passkeys = 0n, recoveryCodes = 0n } = rows[0] ?? {}
  return { hasTotp, passkeys: Number(passkeys), recoveryCodes: Number(recoveryCodes) }
}

/**
 * Stores a TOTP secret that the user has not yet confirmed with a first code. Returns false if the user already has
 * a confirmed secret.
 */
export async function insertTotpSecret(
  db: Db,
  secret: { userId: string; secretSealed: string; at: Date },
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `insert into totp_secrets as t (user_id, secret_sealed, created_at) values (:userId, :secretSealed, :at)
     on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
       where t.confirmed_at is null
     returning user_id`,
    secret,
  )
  return rows.length > 0
}

/**
 * Finds a user's encrypted TOTP secret. With `isConfirmed`, finds the secret in use. Otherwise, finds the secret
 * not yet confirmed with a first code.
 */
export async function findTotpSecret(
  db: Db,
  userId: string,
  isConfirmed: boolean,
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { secretSealed: string }[] }>(
    `select secret_sealed as "secretSealed" from totp_secrets
     where user_id = ? and (confirmed_at is not null) = ?`,
    [userId, isConfirmed],
  )
  return rows[0]?.secretSealed
}

/**
 * Marks a TOTP code's time step as used. Returns false if a code for this or a later time step was already used,
 * even by a concurrent request.
 */
export async function takeTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'update totp_secrets set last_step = :step where user_id = :userId and last_step < :step returning user_id',
    { userId, step },
  )
  return rows.length > 0
}

/**
 * Confirms a TOTP secret with its first code and thereby enables the secret. Returns false if another request has
 * already confirmed or replaced the secret.
 */
export async function confirmTotpSecret(
  tx: Tx,
  { userId, secretSealed, step, at }: { userId: string; secretSealed: string; step: number; at: Date },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `update totp_secrets set confirmed_at = :at, last_step = :step
     where user_id = :userId and secret_sealed = :secretSealed and confirmed_at is null returning user_id`,
    { userId, secretSealed, step, at },
  )
  return rows.length > 0
}

/** Deletes the user's TOTP secret. Returns false if the user has no confirmed secret. */
export async function deleteTotpSecret(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { was: boolean }[] }>(
    'delete from totp_secrets where user_id = ? returning confirmed_at is not null as was',
    [userId],
  )
  return rows[0]?.was ?? false
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: Buffer[]): Promise<void> {
  await tx.raw(
    `with replaced as (delete from recovery_codes where user_id = :userId)
     insert into recovery_codes (code_hash, user_id) select hash, :userId from unnest(:hashes::bytea[]) as hash`,
    { userId, hashes },
  )
}

/** Marks a recovery code as used. Returns false if the code is unknown or was already used. */
export async function takeRecoveryCode(db: Db, userId: string, hash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update recovery_codes set used_at = :at
     where code_hash = :hash and user_id = :userId and used_at is null returning user_id`,
    { userId, hash, at },
  )
  return rows.length > 0
}

/** Records that the session's user has just confirmed a second factor in this session. */
export async function noteProof(db: Db, sessionId: string, at: Date): Promise<void> {
  await db.raw('update sessions set proven_at = ? where id = ?', [at, sessionId])
}

/** Deletes all of a user's second factors, including recovery codes and unfinished challenges. */
export async function deleteFactors(tx: Tx, userId: string): Promise<void> {
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes', 'second_factor_challenges'])
    await tx.raw('delete from ?? where user_id = ?', [table, userId])
}

/** Returns whether the user's tenant requires a second factor. */
export async function isFactorRequired(db: Db, userId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { required: boolean }[] }>(
    `select t.second_factor_required as required from users u join tenants t on t.id = u.tenant_id where u.id = ?`,
    [userId],
  )
  return rows[0]?.required ?? false
}

export async function updateSecurity(
  tx: Tx,
  tenantId: string,
  { secondFactorRequired, refundProofAbove }: SecuritySettings,
): Promise<void> {
  await tx.raw(
    `update tenants
     set second_factor_required = :secondFactorRequired, refund_proof_above = :refundProofAbove, updated_at = now()
     where id = :tenantId`,
    { tenantId, secondFactorRequired, refundProofAbove },
  )
}
