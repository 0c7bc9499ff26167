import type { TestDatabase } from './database.ts'
import { tamper } from './ledger.ts'

/**
 * Saves the rows in all tables except the job queue's, and returns a function that restores them. A file's tests can
 * then share a database, because restoring rows is much faster than copying the database.
 */
export async function saveRows({ db, url }: TestDatabase): Promise<() => Promise<void>> {
  // Generated columns are not restored, because PostgreSQL computes their values and does not accept inserted
  // values for them.
  const { rows } = await db.raw<{ rows: { name: string; columns: string }[] }>(
    `select relname as name, string_agg(quote_ident(attname), ', ') as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and attnum > 0 and not attisdropped and attgenerated = ''
     group by relname`,
  )
  const save = rows.map(({ name }) => `create table saved.${name} as table ${name};`)
  const restore = rows.map(
    ({ name, columns }) =>
      `delete from ${name}; insert into ${name} (${columns}) select ${columns} from saved.${name};`,
  )
  await tamper(url, ['create schema saved', []], [save.join('\n'), []])
  return () => tamper(url, [restore.join('\n'), []])
}
