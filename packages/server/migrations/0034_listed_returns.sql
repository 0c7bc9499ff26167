-- The constraints of 0026 and 0028 held for new rows only. Rows that are older satisfy them as well: each of them widened
-- what was allowed, or is about columns that were new.
alter table provider_callbacks validate constraint provider_callbacks_status_check;
alter table unexpected_money
  validate constraint unexpected_money_kind_check,
  validate constraint unexpected_money_status_check,
  validate constraint unexpected_money_has_payment,
  validate constraint unexpected_money_place,
  validate constraint unexpected_money_later_records_are_qualified,
  validate constraint unexpected_money_return_status,
  validate constraint unexpected_money_has_amount,
  validate constraint unexpected_money_only_returns_are_dismissed;
alter table payments validate constraint payments_unconfirmed_is_paid;

-- The locks that writers wait for come last, and payments come before their records, as everywhere.
--
-- The sweep reads payments_due_by_account (0030). The sweep of the version before it does so too without this index: it then
-- sorts the payments that have a check to come, which is slower and still right.
drop index payments_due;

-- A provider may report a refund before it lists it with its id. provider_id is empty until then, and is set once.
create or replace trigger unexpected_money_keeps_its_place before update on unexpected_money for each row
  when ((new.from_amount, new.round, new.return_status is null)
        is distinct from (old.from_amount, old.round, old.return_status is null)
        or new.provider_id is distinct from old.provider_id
           and (old.return_status is null or old.provider_id <> '' or new.provider_id is null))
  execute function refuse_change('a record is about one part of one receipt');
