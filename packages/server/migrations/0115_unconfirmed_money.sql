-- A report of payment that the provider has not confirmed, for a payment that has already ended: the Owner checks the
-- money at the provider, then credits or dismisses the record.

-- allow validate-later: the new conditions allow every record that the previous ones allowed
alter table unexpected_money
  drop constraint unexpected_money_kind_check,
  drop constraint unexpected_money_only_returns_are_dismissed,
  add constraint unexpected_money_kind_check check (kind in (
    'unknown_reference', 'second_payment', 'overpaid', 'underpaid', 'late', 'reversal', 'increase',
    'paid_after_reversal', 'refund', 'chargeback', 'unconfirmed')) not valid,
  -- Received money that the provider has confirmed is never dismissed.
  add constraint unexpected_money_dismissed_kinds
    check (status <> 'dismissed' or return_status is not null or kind = 'unconfirmed' and not credited) not valid,
  -- Money that may never have been received must not be sent to a payer.
  add constraint unexpected_money_refunded_was_confirmed
    check (kind <> 'unconfirmed' or status <> 'refunded' or credited) not valid;
