-- The service's roles and its database; run again, it makes what is missing, as for an installation that had one role
-- (docs/guides/upgrade.md). gapura_owner owns the tables and migrates. gapura is what the service runs as: it reads and
-- writes rows, and owns nothing. gapura_tenant it becomes for what is asked for a caller. None is a superuser.

\set ON_ERROR_STOP on
\getenv password GAPURA_DATABASE_PASSWORD
\getenv owner_password GAPURA_OWNER_DATABASE_PASSWORD
set client_min_messages = error;

select format('create role %I login', name) from unnest(array['gapura_owner', 'gapura']) as name
where to_regrole(name) is null \gexec
select 'create role gapura_tenant nologin' where to_regrole('gapura_tenant') is null \gexec
alter role gapura_owner password :'owner_password';
-- It takes the tenants' role for a statement. Were it given that one's rights for good, it would find no row of its own.
alter role gapura noinherit password :'password';
begin;
revoke gapura_tenant from gapura;
grant gapura_tenant to gapura, gapura_owner;
-- So that it can take over what gapura owned, and see whom a migration waits for.
grant gapura, pg_read_all_stats to gapura_owner;
commit;

select 'create database gapura' where not exists (select from pg_database where datname = 'gapura') \gexec
alter database gapura owner to gapura_owner;
