-- The permissions of a user within its tenant (src/auth/users/permission.ts). Existing users could do everything that their
-- tenant can do, so they become admins.
-- allow validate-later: an installation has few users
alter table users add column permissions text[] not null default '{admin}'
  constraint users_permissions_are_known
  check (permissions <@ '{admin,developer,finance,support,viewer}' and cardinality(permissions) > 0);
grant select (permissions) on users to gapura_tenant;

-- A process caches the permissions of each session (src/auth/log-in/session.sql.ts).
create trigger users_announced after update of permissions on users
  for each row execute function announce_change('user', 'id');
