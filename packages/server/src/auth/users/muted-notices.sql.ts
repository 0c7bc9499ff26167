import type { Db, Tx } from '../../db/db.ts'

type Of = { tenantId: string; userId: string }

/** Returns the kinds of notification emails that the user turned off, or undefined if the user was removed. */
export const findMutedNotices = (db: Db, of: Of): Promise<string[] | undefined> => mutedIn(db, of, '')

/**
 * Returns the kinds of notification emails that the user turned off, and locks the user's row until the transaction
 * ends.
 */
export const lockMutedNotices = (tx: Tx, of: Of): Promise<string[] | undefined> =>
  mutedIn(tx, of, 'for no key update')

async function mutedIn(
  db: Db | Tx,
  { tenantId, userId }: Of,
  lock: 'for no key update' | '',
): Promise<string[] | undefined> {
  const { rows } = await db.raw<{ rows: { muted: string[] }[] }>(
    `select muted_notices as muted from users where tenant_id = ? and id = ? and status <> 'removed' ${lock}`,
    [tenantId, userId],
  )
  return rows[0]?.muted
}

export async function updateMutedNotices(
  tx: Tx,
  { tenantId, userId }: Of,
  muted: readonly string[],
): Promise<void> {
  await tx.raw(
    'update users set muted_notices = :muted::text[], updated_at = now() where tenant_id = :tenantId and id = :userId',
    { tenantId, userId, muted: [...muted] as never },
  )
}
