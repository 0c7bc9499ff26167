// Declares where the rows of each table are stored in a distributed installation, which uses PostgreSQL with the
// extension Citus (docs/guides/scaling.md). When you add a table, add a line here. sharding.test.ts compares this list
// with the schema.

export type Placement =
  | { kind: 'sharded'; column: 'tenant_id' | 'reference' | 'id' }
  /**
   * A table that is copied to every node, because statements, triggers or foreign keys of sharded tables refer to it.
   */
  | { kind: 'reference' }
  /** A table whose rows are only on the coordinator. */
  | { kind: 'local' }

const byTenant: Placement = { kind: 'sharded', column: 'tenant_id' }
const everywhere: Placement = { kind: 'reference' }
const coordinator: Placement = { kind: 'local' }

export const placements: Readonly<Record<string, Placement>> = {
  // All rows of a tenant are on one shard, so everything that concerns one payment happens on one node.
  payments: byTenant,
  payment_search: byTenant,
  customer_erasures: byTenant,
  refunds: byTenant,
  payment_transitions: byTenant,
  balances: byTenant,
  book_accounts: byTenant,
  book_transfers: byTenant,
  fee_charges: byTenant,
  ledger_entries: byTenant,
  ledger_seals: byTenant,
  additional_deliveries: byTenant,
  additional_attempts: byTenant,
  webhook_events: byTenant,
  webhook_queue: byTenant,
  webhook_attempts: byTenant,
  api_requests: byTenant,

  // The tables `payment_references` and `provider_callbacks` are not sharded by tenant, because a provider's
  // message does not contain a tenant ID. The row that is found by the message's order reference contains the
  // tenant ID.
  payment_references: { kind: 'sharded', column: 'reference' },
  provider_callbacks: { kind: 'sharded', column: 'id' },

  additional_endpoints: everywhere,
  previous_webhook_secrets: everywhere,
  webhook_endpoints: everywhere,
  unexpected_money: everywhere,

  // The following tables are stored only on the coordinator, because one node is enough for them. Each process caches
  // the tables with configuration. The other tables are used only by the Owner (the service's operator) or by the users
  // of a single tenant.
  account_outcomes: coordinator,
  api_keys: coordinator,
  audit_log: coordinator,
  book_backfills: coordinator,
  entitlements: coordinator,
  fee_schedules: coordinator,
  invitations: coordinator,
  ledger_differences: coordinator,
  ledger_statements: coordinator,
  ledger_verifications: coordinator,
  login_limits: coordinator,
  login_throttles: coordinator,
  management_requests: coordinator,
  notices: coordinator,
  passkeys: coordinator,
  password_resets: coordinator,
  previous_provider_credentials: coordinator,
  provider_accounts: coordinator,
  reconciliation_checks: coordinator,
  reconciliation_differences: coordinator,
  reconciliation_runs: coordinator,
  recovery_codes: coordinator,
  refresh_tokens: coordinator,
  rejected_callbacks: coordinator,
  routing_rules: coordinator,
  schema_migrations: coordinator,
  sealed_keys: coordinator,
  second_factor_challenges: coordinator,
  session_keys: coordinator,
  sessions: coordinator,
  settlement_lines: coordinator,
  settlements: coordinator,
  signing_keys: coordinator,
  tenant_branding: coordinator,
  tenant_limits: coordinator,
  tenants: coordinator,
  tier_limits: coordinator,
  totp_secrets: coordinator,
  unreadable_callbacks: coordinator,
  users: coordinator,
  workers: coordinator,
}
