// While millions of rows are loaded, indexes and foreign keys are dropped and triggers are disabled.
// Afterwards, this code restores them, and PostgreSQL checks the restored constraints. The owner of the
// tables can do all this without being a superuser.

import type pg from 'pg'

/** The SQL statements that restore the dropped indexes and constraints, one statement each. */
export type PutAway = { bringBack: string[] }

export async function putAway(client: pg.Client, tables: readonly string[]): Promise<PutAway> {
  const indexes = await definitions(client, indexesOf, tables)
  const foreignKeys = await definitions(client, foreignKeysOf, tables)
  await client.query('begin')
  for (const { drop } of [...foreignKeys, ...indexes]) await client.query(drop)
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  await client.query('commit')
  return {
    bringBack: [
      ...indexes.map(({ make }) => make),
      ...foreignKeys.map(({ make }) => make),
      ...tables.map(table => `alter table ${table} enable trigger user`),
    ],
  }
}

type Definition = { make: string; drop: string }

async function definitions(
  client: pg.Client,
  query: string,
  tables: readonly string[],
): Promise<Definition[]> {
  return (await client.query<Definition>(query, [tables])).rows
}

/**
 * Selects the indexes to drop before the data is loaded. It skips the indexes on partitions, because dropping an index
 * on a partitioned table also drops the corresponding indexes on its partitions.
 */
const indexesOf = `
  select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as make,
         'drop index ' || i.indexrelid::regclass as drop
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = any($1::regclass[]) and not c.relispartition
    and not exists (select from pg_constraint where conindid = i.indexrelid and conrelid = i.indrelid)
  order by c.relname`

const foreignKeysOf = `
  select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
         format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
  from pg_constraint where contype = 'f' and conparentid = 0 and conrelid = any($1::regclass[])
  order by conname`
