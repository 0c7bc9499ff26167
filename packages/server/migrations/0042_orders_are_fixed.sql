-- payments_terms_are_fixed holds what moves money. This holds the rest of what a merchant ordered, and when. It is asked
-- only for a statement that names one of these columns; none of the service does.
create trigger payments_orders_are_fixed before update of
    method_type, method_detail, customer_name, customer_email, customer_phone, items, return_url, customer_ip,
    expiry_minutes, created_at
  on payments for each row
  when ((new.method_type, new.method_detail, new.customer_name, new.customer_email, new.customer_phone, new.items,
         new.return_url, new.customer_ip, new.expiry_minutes, new.created_at)
        is distinct from
        (old.method_type, old.method_detail, old.customer_name, old.customer_email, old.customer_phone, old.items,
         old.return_url, old.customer_ip, old.expiry_minutes, old.created_at))
  execute function refuse_change('what was agreed at creation is fixed');

-- Of what was ordered no statement of a caller changes anything, so none may. The service's own role: db/runtime-rights.ts.
revoke update on payments from gapura_tenant;
grant update (
    amount_paid, amount_received, attempt, expires_at, failure_reason, last_checked_at, method_data, next_check_at, paid_at,
    paid_reference, provider, provider_account_id, provider_payment_id, receipt, reversed_at, status, transition_count,
    unconfirmed_since, updated_at
  ) on payments to gapura_tenant;

-- Payments that a verification of the whole ledger did not compare with their orders.
alter table ledger_verifications add column orders_not_checked bigint not null default 0;
