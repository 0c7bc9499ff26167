-- How many payments ended at each provider account in each hour, and how many of them were paid
-- (docs/decisions/0077-falling-success-rate.md). The hours of the last eight days are kept.
create table account_outcomes (
  hour timestamptz not null check (hour = date_trunc('hour', hour, 'UTC')),
  provider_account_id uuid not null,
  paid integer not null check (paid >= 0),
  unpaid integer not null check (unpaid >= 0),
  primary key (hour, provider_account_id)
);

-- allow validate-later: an installation has few notices
alter table notices drop constraint notices_kind_check, add constraint notices_kind_check check (kind in (
  'receiver_failing', 'key_expiring', 'unexpected_money', 'outcome_unknown', 'provider_down', 'success_rate_falling'));
