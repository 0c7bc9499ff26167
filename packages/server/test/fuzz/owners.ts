// Looks up in the database which tenant owns each object that a response mentions.

import type { Db } from '../../src/db/db.ts'
import type { Mode } from '../../src/values/mode.ts'

/**
 * The owner of an object: the tenant to which it belongs, the Partner that manages this tenant (`parentId`),
 * and the object's mode (live or test).
 */
export type Owner = { tenantId: string; parentId: string | null; mode: Mode | null }

const uuids = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
const codes = /\bGP\d{6}-[0-9A-HJKMNP-TV-Z]{10}/g

export const namesIn = (text: string): string[] => [
  ...new Set([...(text.match(uuids) ?? []).map(id => id.toLowerCase()), ...(text.match(codes) ?? [])]),
]

/**
 * Returns a function that maps the names of objects to their owners. The function leaves out objects that
 * belong to no tenant. It caches the owners, because an object's owner never changes.
 */
export function ownersIn(db: Db): (names: string[]) => Promise<Map<string, Owner>> {
  const known = new Map<string, Owner>()
  return async names => {
    const asked = names.filter(name => !known.has(name))
    if (asked.length > 0)
      for (const { name, tenant_id, parent_id, mode } of await ownersOf(db, asked))
        known.set(name, { tenantId: tenant_id, parentId: parent_id, mode })
    return new Map(names.flatMap(name => [[name, known.get(name)] as const].filter(hasOwner)))
  }
}
const hasOwner = (pair: readonly [string, Owner | undefined]): pair is [string, Owner] =>
  pair[1] !== undefined

async function ownersOf(
  db: Db,
  names: string[],
): Promise<{ name: string; tenant_id: string; parent_id: string | null; mode: Mode | null }[]> {
  const ids = names.filter(name => !name.startsWith('GP'))
  const { rows } = await db.raw(
    `with named as (
     select id::text as name, id as tenant_id, null as mode from tenants where id = any(:ids)
     union all select id::text, tenant_id, null from users where id = any(:ids)
     union all select id::text, tenant_id, null from api_keys where id = any(:ids)
     union all select id::text, tenant_id, mode from payments where id = any(:ids)
     union all select payment_code, tenant_id, mode from payments where payment_code = any(:names)
     union all select id::text, tenant_id, mode from ledger_entries where id = any(:ids)
     union all select id::text, tenant_id, mode from webhook_events where id = any(:ids)
     union all select id::text, tenant_id, mode from unexpected_money where id = any(:ids) and tenant_id is not null)
     select named.name, tenant_id, parent_id, mode from named join tenants on tenants.id = tenant_id`,
    { ids, names },
  )
  return rows
}
