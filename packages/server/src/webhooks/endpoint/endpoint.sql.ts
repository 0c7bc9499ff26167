import { batchedRead } from '../../db/batch/batched-read.ts'
import type { Db, Tx } from '../../db/db.ts'

export type Endpoint = {
  callbackUrl: string | null
  secretSealed: string
  /**
   * The secrets that rotations replaced, latest expiry first. The list may contain secrets that have already
   * expired.
   */
  previousSecrets: { sealed: string; expiresAt: Date }[]
}

type EndpointRow = Omit<Endpoint, 'previousSecrets'> & { previousSealed: string[]; previousExpireAt: Date[] }

const findEndpoints = batchedRead<string, EndpointRow>('find_webhook_endpoints', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: restrict => `
    select e.callback_url as "callbackUrl", e.secret_sealed as "secretSealed",
           coalesce(previous.sealed, '{}') as "previousSealed",
           coalesce(previous.expire_at, '{}') as "previousExpireAt"
    from (select * from ${restrict('webhook_endpoints')} e where e.tenant_id = k.tenant_id limit 1) e
    cross join lateral (
      select array_agg(p.secret_sealed order by p.expires_at desc) as sealed,
             array_agg(p.expires_at order by p.expires_at desc) as expire_at
      from ${restrict('previous_webhook_secrets')} p where p.tenant_id = k.tenant_id
    ) previous`,
})

const endpointOf = ({ previousSealed, previousExpireAt, ...row }: EndpointRow): Endpoint => ({
  ...row,
  previousSecrets: previousSealed.map((sealed, i) => ({ sealed, expiresAt: previousExpireAt[i] as Date })),
})

export async function findEndpointInBatch(db: Db, tenantId: string): Promise<Endpoint | undefined> {
  const [row] = await findEndpoints(db, tenantId)
  return row && endpointOf(row)
}

/** Inserts the row with a tenant's callback URL and secret. Does nothing if the tenant already has such a row. */
export async function insertEndpoint(db: Db, tenantId: string, secretSealed: string): Promise<void> {
  await db.raw(
    'insert into webhook_endpoints (tenant_id, secret_sealed) values (?, ?) on conflict do nothing',
    [tenantId, secretSealed],
  )
}

/** Sets a tenant's callback URL and returns the previous one. */
export async function setCallbackUrl(
  db: Db,
  tenantId: string,
  callbackUrl: string | null,
): Promise<string | null> {
  const { rows } = await db.raw<{ rows: { before: string | null }[] }>(
    `with known as (select tenant_id, callback_url from webhook_endpoints where tenant_id = :tenantId for update)
     update webhook_endpoints w set callback_url = :callbackUrl, updated_at = now()
     from known where w.tenant_id = known.tenant_id
     returning known.callback_url as before`,
    { tenantId, callbackUrl },
  )
  return rows[0]?.before ?? null
}

/**
 * Locks the row of a tenant's webhook endpoint, so that concurrent rotations of its secret run one after the other.
 */
export async function lockEndpoint(tx: Tx, tenantId: string): Promise<void> {
  await tx.raw('select from webhook_endpoints where tenant_id = ? for update', [tenantId])
}

/**
 * Deletes all previous secrets that expired at or before `at`. If `at` is null, deletes all previous secrets. Returns
 * the expiry times of the remaining secrets, earliest first.
 */
export async function deletePreviousSecrets(tx: Tx, tenantId: string, at: Date | null): Promise<Date[]> {
  await tx.raw(
    `delete from previous_webhook_secrets
     where tenant_id = :tenantId and (:at::timestamptz is null or expires_at <= :at)`,
    { tenantId, at },
  )
  const { rows } = await tx.raw<{ rows: { expiresAt: Date }[] }>(
    `select expires_at as "expiresAt" from previous_webhook_secrets where tenant_id = ? order by expires_at`,
    [tenantId],
  )
  return rows.map(({ expiresAt }) => expiresAt)
}

/**
 * Replaces the secret for a tenant's callback URL. Webhook deliveries are also signed with the old secret until
 * `previousUntil`. If this is null, the old secret stops being used immediately. A trigger stores the old secret
 * (migrations/0035_overlapping_secrets_and_limits.sql).
 */
export async function replaceSecret(
  tx: Tx,
  tenantId: string,
  secretSealed: string,
  previousUntil: Date | null,
): Promise<void> {
  await tx.raw(
    `update webhook_endpoints
     set previous_secret_sealed = case when :previousUntil::timestamptz is not null then secret_sealed end,
         previous_secret_expires_at = :previousUntil, secret_sealed = :secretSealed, updated_at = now()
     where tenant_id = :tenantId`,
    { tenantId, secretSealed, previousUntil },
  )
}
