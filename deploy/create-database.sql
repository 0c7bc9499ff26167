-- The service's own role and database. It is no superuser, and needs to be none; gapura_tenant it becomes for what is
-- asked for a caller.

\set ON_ERROR_STOP on
\getenv password GAPURA_DATABASE_PASSWORD
create role gapura login password :'password';
create role gapura_tenant nologin;
grant gapura_tenant to gapura;
create database gapura owner gapura;
