-- Above an amount, a refund by a user needs a recent second factor (docs/decisions/0054-second-factor.md).

-- Whether a user of the merchant requested the refund. It is false for refunds that were made before this migration.
alter table refunds add column by_user boolean not null default false;
alter table refunds add constraint refunds_by_user_are_of_merchant
  check (origin = 'merchant' or not by_user) not valid;

drop trigger refunds_terms_are_fixed on refunds;
create trigger refunds_terms_are_fixed before update on refunds for each row
  when ((new.tenant_id, new.id, new.payment_id, new.mode, new.number, new.reference, new.amount, new.method, new.origin,
         new.by_user, new.source, new.reason, new.provider_account_id, new.unexpected_money_id, new.refunded_money_id,
         new.idempotency_key, new.fingerprint, new.created_at)
        is distinct from
        (old.tenant_id, old.id, old.payment_id, old.mode, old.number, old.reference, old.amount, old.method, old.origin,
         old.by_user, old.source, old.reason, old.provider_account_id, old.unexpected_money_id, old.refunded_money_id,
         old.idempotency_key, old.fingerprint, old.created_at)
        or new.bank_account is distinct from old.bank_account
        and (new.status = 'pending' or new.bank_account is distinct from erased_bank_account(old.bank_account)))
  execute function refuse_change('the terms of a refund are fixed');

-- The amount is a setting of the tenant, in cents. With 0, every refund by a user needs the second factor. The lock of
-- `tenants` comes last, because a transaction with a refund can use `tenants` while it holds a lock on `refunds`.
alter table tenants add column refund_proof_above bigint not null default 100000000;
alter table tenants add constraint tenants_refund_proof_above_check
  check (refund_proof_above between 0 and 100000000000000) not valid;
