-- Creates the service's roles and its database. If run again, it creates what is missing, for example after an
-- upgrade from a version with one role (docs/guides/upgrade.md).
--
-- The service logs in as gapura, which reads and writes rows. To act for a caller, it switches to gapura_tenant. The
-- tables belong to gapura_owner, which also runs the migrations. None of the three roles is a superuser.

\set ON_ERROR_STOP on
\getenv password GAPURA_DATABASE_PASSWORD
\getenv owner_password GAPURA_OWNER_DATABASE_PASSWORD
set client_min_messages = error;

select format('create role %I login', name) from unnest(array['gapura_owner', 'gapura']) as name
where to_regrole(name) is null \gexec
select 'create role gapura_tenant nologin' where to_regrole('gapura_tenant') is null \gexec
alter role gapura_owner password :'owner_password';
-- The role gapura switches to the tenant role for single statements, but does not inherit it. If it did, the tenant
-- role's policies would hide all rows from the service itself.
alter role gapura noinherit password :'password';
begin;
revoke gapura_tenant from gapura;
grant gapura_tenant to gapura, gapura_owner;
-- With these grants, gapura_owner can take over the ownership of objects from gapura, and can see which
-- sessions block a migration.
grant gapura, pg_read_all_stats to gapura_owner;
commit;

select 'create database gapura' where not exists (select from pg_database where datname = 'gapura') \gexec
alter database gapura owner to gapura_owner;
