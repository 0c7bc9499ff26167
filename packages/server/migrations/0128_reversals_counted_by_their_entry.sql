-- A credited reversal is counted in `payments.amount_reversed` when its ledger entry is posted, not when its record of
-- unexpected money is inserted. On a Citus cluster, every node has a copy of unexpected_money, so its triggers cannot
-- change payments, and each reversal failed there. The ledger entries are on the same shard as their payment. The count
-- is part of this function, because on a Citus cluster, a migration cannot add a trigger to a distributed table.
-- Without this setting, Citus does not drop a trigger of a reference table. Other servers ignore the setting.
set local citus.enable_unsafe_triggers = on;
drop trigger unexpected_money_reversals_are_counted on unexpected_money;
drop function count_reversal();

create or replace function check_entry_names_its_money() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  kind_of_money text;
begin
  select m.kind into kind_of_money from unexpected_money m
  where m.id = new.unexpected_money_id and m.tenant_id = new.tenant_id and m.payment_id = new.payment_id and m.mode = new.mode
    and case
      when m.return_status is not null then new.amount = m.amount
        and (new.entry_type = 'debit' or exists (
          select from ledger_entries e
          where e.tenant_id = new.tenant_id and e.unexpected_money_id = m.id and e.entry_type = 'debit'))
      when new.entry_type = 'credit' then m.kind <> 'reversal' and new.amount = m.amount
      else new.amount <= m.amount
    end;
  if not found then
    raise exception 'an entry of % does not follow from unexpected money %', new.amount, new.unexpected_money_id
      using errcode = 'check_violation';
  end if;
  if kind_of_money = 'reversal' then
    update payments set amount_reversed = amount_reversed + new.amount
    where tenant_id = new.tenant_id and id = new.payment_id;
  end if;
  return new;
end $$;
