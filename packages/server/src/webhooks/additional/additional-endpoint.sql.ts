import type { Db, Tx } from '../../db/db.ts'
import type { Mode } from '../../values/mode.ts'
import type { WebhookEventType } from '../event-type.ts'
import type { Schedule } from './retry-schedule.ts'

/** The settings of an additional webhook endpoint that a merchant can change after creating it. */
export type EndpointChoices = {
  url: string
  description: string
  /** The event types to send to the webhook endpoint. An empty list means all types. */
  eventTypes: WebhookEventType[]
  schedule: Schedule
  enabled: boolean
}

/** A webhook endpoint that a tenant has in addition to its callback URL. */
export type AdditionalEndpoint = EndpointChoices & {
  id: string
  mode: Mode
  secretSealed: string
  /**
   * The secret before the last rotation. Until it expires, webhook deliveries are signed with both secrets. Older
   * secrets are not stored.
   */
  previousSecretSealed: string | null
  previousSecretExpiresAt: Date | null
  createdAt: Date
}

/**
 * The maximum number of additional webhook endpoints a tenant can have in one mode. The database also enforces it,
 * with a constraint on each endpoint's number (column `slot`).
 */
export const MAX_ENDPOINTS = 10

const columns = `id, mode, url, description, event_types as "eventTypes", schedule, enabled,
  secret_sealed as "secretSealed", previous_secret_sealed as "previousSecretSealed",
  previous_secret_expires_at as "previousSecretExpiresAt", created_at as "createdAt"`

/** Lists a tenant's additional webhook endpoints, newest first. There are at most MAX_ENDPOINTS in each mode. */
export async function listAdditionalEndpoints(
  db: Db,
  tenantId: string,
  mode: Mode | null,
): Promise<AdditionalEndpoint[]> {
  const { rows } = await db.raw<{ rows: AdditionalEndpoint[] }>(
    `select ${columns} from additional_endpoints
     where tenant_id = :tenantId and (:mode::text is null or mode = :mode) order by id desc`,
    { tenantId, mode },
  )
  return rows
}

export async function findAdditionalEndpoint(
  db: Db,
  tenantId: string,
  id: string,
): Promise<AdditionalEndpoint | undefined> {
  const { rows } = await db.raw<{ rows: AdditionalEndpoint[] }>(
    `select ${columns} from additional_endpoints where tenant_id = ? and id = ?`,
    [tenantId, id],
  )
  return rows[0]
}

export async function lockAdditionalEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<AdditionalEndpoint | undefined> {
  const { rows } = await tx.raw<{ rows: AdditionalEndpoint[] }>(
    `select ${columns} from additional_endpoints where tenant_id = ? and id = ? for update`,
    [tenantId, id],
  )
  return rows[0]
}

/**
 * Inserts a webhook endpoint under the lowest free number (column `slot`) of its mode. Returns undefined if
 * all numbers are taken, or if a concurrent transaction takes the same number.
 */
export async function insertAdditionalEndpoint(
  tx: Tx,
  tenantId: string,
  endpoint: Omit<AdditionalEndpoint, 'previousSecretSealed' | 'previousSecretExpiresAt'>,
): Promise<AdditionalEndpoint | undefined> {
  const { rows } = await tx.raw<{ rows: AdditionalEndpoint[] }>(
    `insert into additional_endpoints (tenant_id, id, mode, slot, url, description, event_types, schedule, enabled,
       secret_sealed, created_at)
     select :tenantId, :id, :mode, slot, :url, :description, :eventTypes, :schedule, :enabled, :secretSealed, :createdAt
     from generate_series(1, :most::integer) slot
     where not exists (
       select from additional_endpoints e where e.tenant_id = :tenantId and e.mode = :mode and e.slot = slot.slot)
     order by slot limit 1
     on conflict on constraint additional_endpoints_one_per_slot do nothing
     returning ${columns}`,
    { ...endpoint, tenantId, most: MAX_ENDPOINTS },
  )
  return rows[0]
}

export async function updateAdditionalEndpointRow(
  tx: Tx,
  tenantId: string,
  id: string,
  choices: EndpointChoices,
): Promise<AdditionalEndpoint> {
  const { rows } = await tx.raw<{ rows: AdditionalEndpoint[] }>(
    `update additional_endpoints
     set url = :url, description = :description, event_types = :eventTypes, schedule = :schedule, enabled = :enabled
     where tenant_id = :tenantId and id = :id returning ${columns}`,
    { ...choices, tenantId, id },
  )
  return rows[0] as AdditionalEndpoint
}

/**
 * Deletes an additional webhook endpoint. The endpoint's pending deliveries are deleted later, when their
 * next attempts are due (claim-deliveries.sql.ts).
 */
export async function deleteAdditionalEndpointRow(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.raw('delete from additional_endpoints where tenant_id = ? and id = ?', [tenantId, id])
}

/**
 * Replaces the secret that signs webhook deliveries to an endpoint. Deliveries are also signed with the old secret
 * until `previousUntil`. If this is null, the old secret stops being used immediately.
 */
export async function replaceAdditionalSecret(
  tx: Tx,
  tenantId: string,
  id: string,
  { secretSealed, previousUntil }: { secretSealed: string; previousUntil: Date | null },
): Promise<AdditionalEndpoint> {
  const { rows } = await tx.raw<{ rows: AdditionalEndpoint[] }>(
    `update additional_endpoints
     set previous_secret_sealed = case when :previousUntil::timestamptz is not null then secret_sealed end,
         previous_secret_expires_at = :previousUntil, secret_sealed = :secretSealed
     where tenant_id = :tenantId and id = :id returning ${columns}`,
    { tenantId, id, secretSealed, previousUntil },
  )
  return rows[0] as AdditionalEndpoint
}
