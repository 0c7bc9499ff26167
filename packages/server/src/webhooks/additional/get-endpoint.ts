import type { Db, Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { isId } from '../../values/id.ts'
import {
  type AdditionalEndpoint,
  findAdditionalEndpoint,
  lockAdditionalEndpoint,
} from './additional-endpoint.sql.ts'

const endpointNotFound = (id: string) => fault('webhook_endpoint_not_found', { id })

/** Returns an additional webhook endpoint. Throws NOT_FOUND if the tenant has no endpoint with this id. */
export async function getAdditionalEndpoint(
  { db }: { db: Db },
  tenantId: string,
  id: string,
): Promise<AdditionalEndpoint> {
  const endpoint = isId(id) ? await findAdditionalEndpoint(db, tenantId, id) : undefined
  if (!endpoint) throw endpointNotFound(id)
  return endpoint
}

/**
 * Returns an additional webhook endpoint and locks its row, so that concurrent changes to the endpoint run one
 * after the other.
 */
export async function getLockedEndpoint(tx: Tx, tenantId: string, id: string): Promise<AdditionalEndpoint> {
  const endpoint = isId(id) ? await lockAdditionalEndpoint(tx, tenantId, id) : undefined
  if (!endpoint) throw endpointNotFound(id)
  return endpoint
}
