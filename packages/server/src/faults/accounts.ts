// Faults (errors that are returned to callers) that concern tenants, users, API keys, provider accounts,
// routes and webhooks.

import { withCode } from './with-code.ts'

export const accountFaults = {
  ...withCode('FORBIDDEN', {
    partner_creates_clients_only: () => 'a partner can create only clients',
    partner_tier_exceeded: ({ tier }: { tier: string }) =>
      `a partner cannot give a client a higher tier than its own (${tier})`,
    partner_creates_below_itself: () => 'a partner can create only its own clients; omit parent_id',
    owner_created_on_server: () => 'an owner can be created only on the server, not through the API',
    tenant_managed_by_owner: ({ id }: { id: string }) => `only the Owner can change tenant ${id}`,
    tenant_suspended_by_owner: ({ id }: { id: string }) =>
      `the Owner suspended tenant ${id}; ask the operator of the service to reactivate it`,
    tier_set_by_owner: () => "must stay the same: only the Owner can change a tenant's tier",
  }),
  ...withCode('BAD_REQUEST', {
    parent_not_partner: () => 'must be a partner tenant',
    parent_not_allowed: ({ role }: { role: string }) => `must be null: a ${role} has no parent`,
    password_wrong: () => 'is wrong',
    reset_token_invalid: () =>
      'is invalid: it was used, has expired or never existed; request another password reset',
    code_wrong: () => 'is wrong or was already used',
    passkey_rejected: () => 'the passkey was not accepted; try again',
    invitation_invalid: () =>
      'is invalid: it was used, has expired or never existed; ask for another invitation',
    previous_credentials_without_new: () =>
      'must be 0 if no new credentials are passed; 0 invalidates all previous credentials',
    notification_not_received: () => 'is a kind of email that users with your role and permissions never get',
    provider_unknown: ({ known }: { known: string[] }) => `must be one of ${known.join(', ')}`,
    repeated_account: () => 'is already in the list',
    account_not_grantable: () => 'is not a provider account that you can grant',
    account_not_entitled: () => 'is not a provider account that the tenant is entitled to',
    method_not_offered: ({ method, provider }: { method: string; provider: string }) =>
      `${method} is not offered by ${provider}`,
    channel_not_offered: ({
      channel,
      provider,
      offered,
    }: Record<'channel' | 'provider', string> & { offered: string[] }) =>
      `${channel} is not offered by ${provider}, which offers ${offered.join(', ')}`,
    url_malformed: () => 'must be a URL',
    url_not_https: () => 'must begin with https://',
    url_names_private_address: () => 'must not name a private or reserved address',
    url_names_this_machine: () => 'must not name this machine',
  }),
  ...withCode('CONFLICT', {
    own_tenant_suspended: () => 'you cannot suspend your own tenant',
    last_active_tenant: ({ role }: { role: string }) => `the last active ${role} cannot be suspended`,
    totp_enabled: () => 'an authenticator app is already enabled; disable it first',
    totp_not_started: () =>
      'there is no authenticator app secret to confirm; create one with POST /v1/account/second-factor/totp',
    totp_not_enabled: () => 'no authenticator app is enabled',
    second_factor_kept: () => 'you cannot remove your last second factor, because your tenant requires one',
    second_factor_missing: () => 'you have no second factor; add one first',
    last_admin: () => 'this tenant would have no active admin; give another user the permission admin first',
    user_not_active: () =>
      'a user who has not accepted the invitation cannot be disabled; remove the user instead',
    user_not_invited: ({ id }: { id: string }) => `user ${id} has already accepted an invitation`,
    email_in_use: ({ email }: { email: string }) => `${email} is already in use`,
    api_key_revoked: ({ id }: { id: string }) => `API key ${id} is revoked`,
    api_key_rotated: ({ id }: { id: string }) => `API key ${id} was already rotated`,
    event_being_delivered: ({ id }: { id: string }) =>
      `webhook event ${id} is still being delivered; wait until its attempts have ended`,
    callback_url_missing: () => 'there is no callback URL; set one with PUT /v1/account/webhook',
    webhook_url_in_use: () => 'is already the URL of another webhook endpoint in this mode',
    too_many_webhook_endpoints: ({ most, mode }: { most: number; mode: string }) =>
      `there are already ${most} webhook endpoints in ${mode} mode; delete one first`,
    webhook_endpoint_disabled: ({ id }: { id: string }) =>
      `webhook endpoint ${id} is disabled; enable it first`,
    previous_secret_active: ({ until }: { until: string }) =>
      `the previous webhook secret is active until ${until}; wait until then, or send revoke_previous: true to revoke it now`,
    too_many_webhook_secrets: ({ most, until }: { most: number; until: string }) =>
      `${most} previous webhook secrets are still active; wait until ${until}, when the first one expires, or send revoke_previous: true to revoke all`,
  }),
}
