-- Whether the provider itself reported that the refund failed. A provider's success report may be older than its failure
-- report, so it is then not debited automatically (docs/decisions/0053-refunds.md). It is false for refunds that failed
-- before this migration.
alter table refunds add column failed_at_provider boolean not null default false;
alter table refunds add constraint refunds_failed_at_provider_have_failed
  check (status = 'failed' or not failed_at_provider) not valid;
grant update (failed_at_provider) on refunds to gapura_tenant;
