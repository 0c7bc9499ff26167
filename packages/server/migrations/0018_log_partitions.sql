-- Who may use a table, by itself or through a column, may use the other, and nobody else but its owner.
create function grant_like(model regclass, other regclass) returns void language plpgsql as $$
declare
  each record;
begin
  -- What a new table has by default.
  for each in select distinct grantee from pg_class, aclexplode(relacl) where oid = other and grantee <> relowner loop
    execute format('revoke all on %s from %s', other, coalesce(nullif(each.grantee, 0)::regrole::text, 'public'));
  end loop;
  for each in
    select privilege_type as what, grantee, is_grantable from pg_class, aclexplode(relacl)
    where oid = model and grantee <> relowner
    union all
    select format('%s (%I)', privilege_type, attname), grantee, is_grantable from pg_attribute, aclexplode(attacl)
    where attrelid = model
  loop
    execute format('grant %s on %s to %s%s', each.what, other, coalesce(nullif(each.grantee, 0)::regrole::text, 'public'),
      case when each.is_grantable then ' with grant option' end);
  end loop;
end $$;

-- Both are locked for as long as it takes to change the catalogue: no row is read or moved. A process of the version
-- before finds everything under its name, as it was.
create function partition_log(log text, key text) returns void language plpgsql as $$
declare
  first text := log || '_first';
  bound text := (select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''') from pg_constraint where conrelid = log::regclass and conname = log || '_bound');
  index record;
  definitions text[] := '{}';
begin
  for index in
    select x.relname as name, pg_get_indexdef(i.indexrelid) as definition, c.conname, pg_get_constraintdef(c.oid) as rule
    from pg_index i join pg_class x on x.oid = i.indexrelid left join pg_constraint c on c.conindid = i.indexrelid
    where i.indrelid = log::regclass
  loop
    definitions := definitions || case
      when index.conname is null then index.definition
      else format('alter table %I add constraint %I %s', log, index.conname, index.rule) end;
    execute format('alter index %I rename to %I', index.name, replace(index.name, log, first));
  end loop;
  execute format('alter table %I rename to %I', log, first);
  execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', log, first, key);
  perform grant_like(first::regclass, log::regclass);
  execute format('alter table %I drop constraint %I', log, log || '_bound');
  for i in 1 .. cardinality(definitions) loop
    execute definitions[i];
  end loop;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log, first, bound);
  execute format('alter table %I drop constraint %I', first, log || '_bound');
  -- For what no partition is made for: later times while no worker ran, earlier ones whose partition was dropped.
  execute format('create table %I partition of %I default', log || '_default', log);
  -- Who reads the log needs no right to its partitions; who dumps it does, since that reads each by itself.
  perform grant_like(log::regclass, (log || '_default')::regclass);
end $$;
select partition_log('provider_callbacks', 'id');
select partition_log('webhook_attempts', 'event_id');
drop function partition_log(text, text);
