import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts'
import { dumpSchema, schemaFile } from './dump-schema.ts'

test('schema.sql is the schema that the migrations create (run pnpm generate to update it)', async () => {
  const { ownerUrl } = await testDatabase()
  expect(await dumpSchema(ownerUrl)).toBe(await readFile(schemaFile, 'utf8'))
})

describe('schema dumps', async () => {
  const { url, db, drop } = await emptyDatabase()
  afterAll(drop)

  test('a schema dump contains all differences between two schemas and no object that belongs to an extension', async () => {
    await db.raw(`
      create extension pgcrypto;
      create type mood as enum ('good', 'bad');
      create sequence slots start 7;
      create table b (
        id bigint generated always as identity primary key,
        label text collate "C" not null default 'none',
        mood mood,
        shout text generated always as (upper(label)) stored,
        constraint b_label_is_short check (length(label) < 10)
      );
      create table a (b_id bigint references b on delete cascade, unique (b_id));
      create index b_by_label on b (label desc) where mood = 'good';
      create function refuse() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger b_is_kept before delete on b for each row execute function refuse();
      create view good as select id from b where mood = 'good';
      revoke update, delete on b from gapura;
    `)
    expect(await dumpSchema(url)).toMatchInlineSnapshot(`
      "-- Generated from the migrations by \`pnpm generate\`; not to be edited.

      create type mood as enum ('good', 'bad');

      create sequence slots as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 7 cache 1;

      CREATE OR REPLACE FUNCTION public.refuse()
       RETURNS trigger
       LANGUAGE plpgsql
      AS $function$ begin return null; end $function$;

      create table a (
        b_id bigint,
        constraint a_b_id_key UNIQUE (b_id),
        constraint a_b_id_fkey FOREIGN KEY (b_id) REFERENCES b(id) ON DELETE CASCADE
      );

      create table b (
        id bigint not null generated always as identity,
        label text collate "C" not null default 'none'::text,
        mood mood,
        shout text generated always as (upper(label)) stored,
        constraint b_pkey PRIMARY KEY (id),
        constraint b_label_is_short CHECK (length(label) < 10)
      );
      CREATE INDEX b_by_label ON b USING btree (label DESC) WHERE mood = 'good'::mood;
      CREATE TRIGGER b_is_kept BEFORE DELETE ON b FOR EACH ROW EXECUTE FUNCTION refuse();
      grant insert, maintain, references, select, trigger, truncate on b to gapura;

      create view good as
       SELECT id
         FROM b
        WHERE mood = 'good'::mood;
      "
    `)
  })

  test('a schema dump does not depend on the order in which objects were created', async () => {
    const before = await dumpSchema(url)
    await db.raw('drop index b_by_label; drop table a; drop trigger b_is_kept on b; drop view good')
    await db.raw(`
      create view good as select id from b where mood = 'good';
      create trigger b_is_kept before delete on b for each row execute function refuse();
      create table a (b_id bigint references b on delete cascade, unique (b_id));
      create index b_by_label on b (label desc) where mood = 'good';
    `)
    expect(await dumpSchema(url)).toBe(before)
  })
})
