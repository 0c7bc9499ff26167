// Tenants, users, keys, provider accounts, routes and webhooks.

import { under } from './under.ts'

export const accountFaults = {
  ...under('FORBIDDEN', {
    partner_creates_clients_only: () => 'a partner creates clients only',
    partner_tier_exceeded: ({ tier }: { tier: string }) =>
      `a partner of the tier ${tier} gives no higher one`,
    partner_creates_below_itself: () => 'a partner creates clients below itself',
    owner_created_on_server: () => 'an owner is created on the server, not through the API',
    tenant_managed_by_owner: ({ id }: { id: string }) => `tenant ${id} is managed by the Owner`,
    tier_set_by_owner: () => 'only the Owner sets it',
  }),
  ...under('BAD_REQUEST', {
    parent_not_partner: () => 'is no partner',
    parent_not_allowed: ({ role }: { role: string }) => `a ${role} stands below nobody`,
    password_wrong: () => 'is wrong',
    reset_token_invalid: () => 'is not valid; it was used, has expired or never was. Request another',
    previous_credentials_without_new: () => 'needs credentials, unless it is 0 to end the previous ones',
    provider_unknown: ({ known }: { known: string[] }) => `must be one of ${known.join(', ')}`,
    repeated_account: () => 'is in the list already',
    account_not_grantable: () => 'is no provider account that you can grant',
    account_not_entitled: () => 'is no provider account that the tenant is entitled to',
    method_not_offered: ({ method, provider }: { method: string; provider: string }) =>
      `${method} is not offered by ${provider}`,
    channel_not_offered: ({
      channel,
      provider,
      offered,
    }: Record<'channel' | 'provider', string> & { offered: string[] }) =>
      `${channel} is not offered by ${provider}; it has ${offered.join(', ')}`,
    url_malformed: () => 'must be a URL',
    url_not_https: () => 'must begin with https://',
    url_names_private_address: () => 'must not name a private or reserved address',
    url_names_this_machine: () => 'must not name this machine',
  }),
  ...under('CONFLICT', {
    own_tenant_suspended: () => 'nobody suspends itself',
    last_active_tenant: ({ role }: { role: string }) => `the last active ${role} stays`,
    email_in_use: ({ email }: { email: string }) => `${email} is already in use`,
    api_key_revoked: ({ id }: { id: string }) => `API key ${id} is revoked`,
    api_key_rotated: ({ id }: { id: string }) => `API key ${id} was already rotated`,
    event_being_delivered: ({ id }: { id: string }) =>
      `event ${id} is being delivered; wait for its attempts to end`,
    callback_url_missing: () => 'there is no callback URL; set one with PUT /v1/account/webhook',
    too_many_webhook_secrets: ({ most, until }: { most: number; until: string }) =>
      `${most} previous secrets still sign; wait until ${until}, when the first of them expires, or send revoke_previous: true, which ends them all`,
  }),
}
