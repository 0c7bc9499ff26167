-- Returns the times of the latest invitations that the sender's Partner and all Clients of this Partner sent since
-- `from_id`, to one email address, or to all addresses if `to_email` is null (auth/team/invitation.sql.ts).
--
-- The function runs as the owner of the tables and checks the scope itself, because a Client's statements can read
-- neither its Partner nor the Partner's other Clients.
create function invitations_of_partner(sender_id uuid, from_id uuid, to_email text, at_most integer) returns setof timestamptz
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  if current_setting('role') = 'gapura_tenant' and sender_id = any (tenants_in_scope()) is not true then
    raise exception 'the sender is not in the tenant scope' using errcode = 'insufficient_privilege';
  end if;
  return query
    select a.at from audit_log a
    where a.actor_tenant_id in (
        with partner as (select coalesce(t.parent_id, t.id) as id from tenants t where t.id = sender_id)
        select partner.id from partner union all select c.id from tenants c join partner on c.parent_id = partner.id)
      and a.id >= from_id and a.action in ('user.invite', 'user.resend_invitation')
      and (to_email is null or lower(a.after ->> 'email') = lower(to_email))
    order by a.at desc limit at_most;
end $$;
revoke execute on function invitations_of_partner(uuid, uuid, text, integer) from public;
grant execute on function invitations_of_partner(uuid, uuid, text, integer) to gapura_tenant;
