import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import { constraintOf } from '../../db/database-errors.ts'
import type { Db, Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import type { Clock } from '../../values/time.ts'
import { newWebhookSecret } from '../delivery/sign.ts'
import {
  type AdditionalEndpoint,
  type EndpointChoices,
  insertAdditionalEndpoint,
  listAdditionalEndpoints,
  MAX_ENDPOINTS,
} from './additional-endpoint.sql.ts'
import { additionalSecretContext } from './additional-endpoint-secrets.ts'
import { viewListedEndpoint } from './additional-endpoint-view.ts'

/** Creates an additional webhook endpoint with a new secret. The caller must have validated the URL. */
export async function createEndpoint(
  app: { db: Db; secrets: Secrets; clock: Clock },
  actor: Actor & { tenantId: string },
  choices: EndpointChoices & { mode: Mode },
): Promise<AdditionalEndpoint> {
  const { tenantId } = actor
  const id = newId()
  const secretSealed = await app.secrets.encrypt(newWebhookSecret(), additionalSecretContext(id))
  const createdAt = app.clock()
  return auditedTransaction(app, actor, async tx => {
    const created = await insertIntoFreeSlot(tx, tenantId, { ...choices, id, secretSealed, createdAt }).catch(
      throwIfUrlInUse,
    )
    return {
      result: created,
      action: 'webhook_endpoint.create',
      tenantId,
      subjectId: id,
      before: null,
      after: viewListedEndpoint(created, createdAt),
    }
  })
}

async function insertIntoFreeSlot(
  tx: Tx,
  tenantId: string,
  endpoint: Parameters<typeof insertAdditionalEndpoint>[2],
): Promise<AdditionalEndpoint> {
  for (;;) {
    const created = await insertAdditionalEndpoint(tx, tenantId, endpoint)
    if (created) return created
    // If no row was inserted, all endpoint numbers (column `slot`) of this mode may be in use. Otherwise, another
    // transaction has just taken the same number, and the loop tries the next free number.
    const existing = await listAdditionalEndpoints(tx, tenantId, endpoint.mode)
    if (existing.length >= MAX_ENDPOINTS)
      throw fault('too_many_webhook_endpoints', { most: MAX_ENDPOINTS, mode: endpoint.mode })
  }
}

/**
 * Throws `webhook_url_in_use` if the database reports that the tenant already has an endpoint with this URL. Rethrows
 * any other error.
 */
export function throwIfUrlInUse(error: unknown): never {
  if (constraintOf(error) === 'additional_endpoints_one_per_url')
    throw fault('webhook_url_in_use', {}, { field: 'url' })
  throw error
}
