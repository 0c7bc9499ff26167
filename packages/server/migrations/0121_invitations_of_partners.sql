-- Returns the times of the latest invitations that the sender's Partner and all Clients of this Partner sent since
-- `from_id`, to one email address, or to all addresses if `to_email` is null (auth/team/invitation.sql.ts).
--
-- The function runs as the owner of the tables and checks the scope itself, because a Client's statements can read
-- neither its Partner nor the Partner's other Clients.
create function invitations_of_partner(sender_id uuid, from_id uuid, to_email text, at_most integer)
returns setof timestamptz language sql stable security definer set search_path = public, pg_temp as $$
  select at from audit_log
  where actor_tenant_id in (
      with partner as (select coalesce(parent_id, id) as id from tenants where id = sender_id)
      select id from partner union all select c.id from tenants c join partner on c.parent_id = partner.id)
    and id >= from_id and action in ('user.invite', 'user.resend_invitation')
    and (to_email is null or lower(after ->> 'email') = lower(to_email))
    and (current_setting('role') <> 'gapura_tenant' or sender_id = any (tenants_in_scope()))
  order by at desc limit at_most
$$;
revoke execute on function invitations_of_partner(uuid, uuid, text, integer) from public;
grant execute on function invitations_of_partner(uuid, uuid, text, integer) to gapura_tenant;
