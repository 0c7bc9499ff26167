// Example operations that manage tenants, API keys, users, routing and provider accounts.

import type { Example } from './example-parts.ts'
import { at, exampleId, exampleTenantId, page } from './example-parts.ts'

export const merchant = {
  id: exampleTenantId,
  name: 'Toko Budi',
  role: 'client',
  tier: 'starter',
  parent_id: exampleId(15),
  status: 'active',
  suspended_by_owner: false,
  created_at: at,
  updated_at: at,
}
export const user = {
  id: exampleId(11),
  email: 'client@example.com',
  permissions: ['admin'],
  status: 'active',
  created_at: at,
}
const colleague = { ...user, email: 'sari@example.com', permissions: ['finance'] }
const lastAdmin = 'this tenant would have no active admin; give another user the permission admin first'
const apiKey = {
  id: exampleId(13),
  name: 'web shop',
  mode: 'test',
  display_prefix: 'gp_test_4fQz',
  scopes: [],
  allowed_ips: [],
  created_at: at,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
}
const newApiKey = {
  id: apiKey.id,
  name: apiKey.name,
  mode: apiKey.mode,
  key: 'gp_test_4fQzL0aJr2mXc8VdT5uYb1NsKe7WhG3P0bXk2J',
  display_prefix: apiKey.display_prefix,
  scopes: [],
  allowed_ips: [],
  created_at: at,
}
const providerAccount = {
  id: exampleId(14),
  provider_code: 'midtrans',
  mode: 'test',
  name: 'Midtrans of PT Toko Budi',
  base_url: null,
  enabled: true,
  callback_sources: [],
  inquire_above: 1_000_000_000,
  previous_credentials: [],
  created_at: at,
  updated_at: at,
}
const granted = { provider_account_id: providerAccount.id, priority: 100 }
const entitlement = {
  ...granted,
  provider: providerAccount.provider_code,
  name: providerAccount.name,
  mode: providerAccount.mode,
  enabled: true,
}
const virtualAccountRule = {
  position: 1,
  method_type: 'virtual_account',
  channel: null,
  min_amount: null,
  max_amount: null,
  provider_account_id: providerAccount.id,
  weight: 1,
}

const limit = (value: number, source: string, inherited = value) => ({ value, source, inherited })
const starterLimits = {
  tier: 'starter',
  requests_per_second: limit(50, 'default'),
  burst_seconds: limit(2, 'default'),
  requests_in_flight: limit(128, 'default'),
}
const merchantLimits = { tenant_id: merchant.id, ...starterLimits }

/**
 * An example of the error for a list cursor that refers to a removed row. A list needs this example if its
 * rows can be removed while a client pages through the list.
 */
const goneCursor = {
  BAD_REQUEST: ['cursor: refers to an item that no longer exists; restart without a cursor'],
}

export const tenantExamples: Record<string, Example> = {
  listTenants: { response: page(merchant) },
  createTenant: { request: { client: { name: 'Toko Budi', parent_id: exampleId(15) } }, response: merchant },
  getTenant: { response: merchant },
  updateTenant: {
    request: { suspend: { status: 'suspended' } },
    response: { ...merchant, status: 'suspended', suspended_by_owner: true },
    failures: { CONFLICT: ['you cannot suspend your own tenant'] },
  },
  listTierLimits: { response: page(starterLimits), failures: goneCursor },
  updateTierLimits: {
    request: { higher_limits: { requests_per_second: 80 } },
    response: { ...starterLimits, requests_per_second: limit(80, 'tier', 50) },
    failures: {
      BAD_REQUEST: ['requests_per_second: must be an integer from 10 to 10000, or null for the default'],
    },
  },
  resetTierLimits: { response: starterLimits },
  getTenantLimits: { response: { ...merchantLimits, requests_per_second: limit(200, 'tenant', 50) } },
  updateTenantLimits: {
    request: { higher_limits: { requests_per_second: 200, requests_in_flight: null } },
    response: { ...merchantLimits, requests_per_second: limit(200, 'tenant', 50) },
    failures: {
      BAD_REQUEST: ['requests_in_flight: must be an integer from 1 to 512, or null for the default'],
    },
  },
  resetTenantLimits: { response: merchantLimits },
  listApiKeys: { response: page(apiKey) },
  createApiKey: {
    request: {
      test: { name: 'web shop', mode: 'test' },
      limited: {
        ...{ name: 'nightly report', mode: 'test' },
        ...{ scopes: ['reports'], allowed_ips: ['203.0.113.0/24'] },
      },
    },
    responses: {
      test: newApiKey,
      limited: {
        ...newApiKey,
        ...{ name: 'nightly report', scopes: ['reports'], allowed_ips: ['203.0.113.0/24'] },
      },
    },
  },
  updateApiKey: {
    request: { limit: { scopes: ['payments:write'], allowed_ips: ['203.0.113.0/24'] } },
    response: { ...apiKey, scopes: ['payments:write'], allowed_ips: ['203.0.113.0/24'] },
  },
  revokeApiKey: { response: { ...apiKey, revoked_at: at } },
  rotateApiKey: {
    request: { one_hour: { grace_minutes: 60 } },
    response: { ...newApiKey, id: exampleId(16) },
    failures: { CONFLICT: [`API key ${apiKey.id} was already rotated`] },
  },
  listOwnApiKeys: { response: page(apiKey) },
  listUsers: { response: page(user) },
  listOwnUsers: { response: page(user) },
  createUser: {
    request: {
      invitation: { email: 'sari@example.com', permissions: ['finance'] },
      with_password: {
        email: 'sari@example.com',
        password: 'correct horse battery staple',
        permissions: ['finance'],
      },
    },
    responses: {
      invitation: { ...colleague, status: 'invited' },
      with_password: colleague,
    },
    failures: { CONFLICT: ['email: sari@example.com is already in use'] },
  },
  updateUser: {
    request: { permissions: { permissions: ['finance', 'support'] }, disable: { status: 'disabled' } },
    responses: {
      permissions: { ...colleague, permissions: ['finance', 'support'] },
      disable: { ...colleague, status: 'disabled' },
    },
    failures: { CONFLICT: [lastAdmin] },
  },
  removeUser: { response: { removed: true }, failures: { CONFLICT: [lastAdmin] } },
  resetSecondFactor: { response: { reset: true } },
  resendInvitation: {
    response: { ...colleague, status: 'invited' },
    failures: { CONFLICT: [`user ${user.id} has already accepted an invitation`] },
  },
  getEntitlements: { response: page(entitlement), failures: goneCursor },
  setEntitlements: { request: { one: { items: [granted] } }, response: page(entitlement) },
  getRoutingRules: { response: page(virtualAccountRule), failures: goneCursor },
  previewRoute: {
    query: {
      mode: { by_rule: 'test' },
      method_type: { by_rule: 'virtual_account' },
      channel: { by_rule: 'bca' },
      amount: { by_rule: 10_000_000 },
    },
    responses: {
      by_rule: page({
        place: 1,
        chance: 1,
        provider: 'midtrans',
        provider_account_id: providerAccount.id,
        name: providerAccount.name,
        source: 'rule',
        rule_position: 1,
        weight: 1,
        priority: 100,
        circuit: 'closed',
        refusal: null,
      }),
    },
    failures: { BAD_REQUEST: ['mode: must be one of live, test'] },
  },
  setRoutingRules: {
    request: {
      virtual_accounts: {
        items: [{ method_type: 'virtual_account', provider_account_id: providerAccount.id }],
      },
    },
    response: page(virtualAccountRule),
  },
  listProviders: {
    failures: goneCursor,
    response: page({
      code: 'midtrans',
      name: 'Midtrans',
      methods: [
        {
          type: 'virtual_account',
          name: 'Virtual Account',
          channels: [
            {
              code: 'bca',
              name: 'BCA',
              limits: {
                whole_rupiah: true,
                min_amount: 1_000_000,
                max_amount: 2_000_000_000_000,
                min_expiry_minutes: 1,
                max_expiry_minutes: 259_200,
              },
            },
          ],
        },
      ],
      credentials: { type: 'object', properties: { server_key: {} }, required: ['server_key'] },
      callback_proof: 'signature',
    }),
  },
  listProviderAccounts: { response: page(providerAccount) },
  createProviderAccount: {
    request: {
      test: { mode: 'test', name: providerAccount.name, credentials: { server_key: 'SB-Mid-server-…' } },
    },
    response: providerAccount,
  },
  updateProviderAccount: {
    request: { disable: { enabled: false } },
    response: { ...providerAccount, enabled: false },
  },
}
