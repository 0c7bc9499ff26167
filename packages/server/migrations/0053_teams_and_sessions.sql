-- Teams (docs/decisions/0059-teams.md). An invited user has no password yet. A removed user keeps its row, because audit
-- entries and API keys refer to it, but no longer its address.
-- allow validate-later: an installation has few users
-- allow locking-index: an installation has few users
alter table users alter column password_hash drop not null;
alter table users add column status text not null default 'active'
    constraint users_status_is_known check (status in ('invited', 'active', 'disabled', 'removed')),
  add constraint users_have_a_password check (status in ('invited', 'removed') or password_hash is not null);
drop index users_email;
create unique index users_email on users (lower(email)) where status <> 'removed';
grant select (status) on users to gapura_tenant;

drop trigger users_announced on users;
create trigger users_announced after update of permissions, status on users
  for each row execute function announce_change('user', 'id');

-- A tenant that has an active admin keeps one. The lock on the tenant serializes changes to its admins: a second transaction
-- waits, and then counts what the first one has left.
create function keep_an_admin() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from tenants where id = old.tenant_id for no key update;
  if not exists (select from users where tenant_id = old.tenant_id and status = 'active' and 'admin' = any (permissions)) then
    raise exception 'tenant % would have no active admin', old.tenant_id
      using errcode = 'check_violation', constraint = 'users_keep_an_admin';
  end if;
  return null;
end $$;
-- Only the triggers call it.
revoke execute on function keep_an_admin() from public;
create trigger users_keep_an_admin after update of permissions, status, tenant_id on users for each row
  when (old.status = 'active' and 'admin' = any (old.permissions)
    and (new.status <> 'active' or not 'admin' = any (new.permissions) or new.tenant_id <> old.tenant_id))
  execute function keep_an_admin();
create trigger users_keep_an_admin_on_delete after delete on users for each row
  when (old.status = 'active' and 'admin' = any (old.permissions))
  execute function keep_an_admin();

-- Links with which an invited user sets the first password, as hashes.
create table invitations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users (id),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index invitations_user on invitations (user_id);

-- What users see of their sessions. The id is the family of the refresh tokens, which decide whether a session is open.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  address text,
  user_agent text
);
create index sessions_user on sessions (user_id);
create index sessions_last_used on sessions (last_used_at);
insert into sessions (id, user_id, created_at, last_used_at)
select family_id, user_id, min(issued_at), max(issued_at) from refresh_tokens group by family_id, user_id;
