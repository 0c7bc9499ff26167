// Faults (errors that are returned to callers) that concern authentication, permissions and rate limits.

import { withCode } from './with-code.ts'

const authorization = '`ApiKey <key>` or `Bearer <access token>`'

/** Returns the duration as text: in seconds up to two minutes, in minutes above that. */
function duration(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

type NotGrantable = {
  scope: string
  /** True if the API key has no scopes, so it can call all operations. */
  isUnrestricted: boolean
  needed: readonly string[]
  held: readonly string[]
}

export const accessFaults = {
  ...withCode('OTP_REQUIRED', {
    otp_required: () =>
      'to finish the login, send the challenge and a code of your second factor to POST /v1/auth/login/otp',
    second_factor_stale: () =>
      'confirm your second factor with POST /v1/account/second-factor/confirm, then repeat the request',
  }),
  ...withCode('UNAUTHORIZED', {
    credential_missing: () => `the Authorization header is missing; send ${authorization}`,
    scheme_unknown: () => `the Authorization header has an unknown scheme; send ${authorization}`,
    api_key_required: () => 'this endpoint requires an API key: `Authorization: ApiKey <key>`',
    access_token_required: () => 'this endpoint requires an access token: `Authorization: Bearer <token>`',
    api_key_invalid: () => 'the API key is invalid or revoked',
    access_token_invalid: () => 'Invalid JWT token',
    login_challenge_invalid: () => 'the login challenge is unknown, used or expired; log in again',
    login_code_wrong: () => 'the code of the second factor is wrong or was already used',
    login_failed: () => 'email address or password is wrong',
    refresh_token_invalid: () => 'the refresh token is unknown, used, expired or revoked; log in again',
  }),
  ...withCode('FORBIDDEN', {
    tenant_suspended: () => 'this tenant is suspended',
    role_not_allowed: ({ role, allowed }: { role: string; allowed: string[] }) =>
      `this endpoint is for the role ${allowed.join(' or ')}; your role is ${role}`,
    permission_missing: ({ needed, held }: { needed: readonly string[]; held: readonly string[] }) =>
      `this action needs the permission ${needed.join(' or ')}; your permissions are ${held.join(', ')}`,
    second_factor_needed: () =>
      'your tenant requires a second factor; add one with POST /v1/account/second-factor/totp',
    scope_missing: ({ needed, held }: { needed: readonly string[]; held: readonly string[] }) =>
      `this action needs an API key with the scope ${needed.join(' or ')}; the scopes of your key are ${held.join(', ')}`,
    scope_not_grantable: ({ scope, isUnrestricted, needed, held }: NotGrantable) =>
      `${isUnrestricted ? `an API key without scopes includes the scope ${scope}, which` : `the scope ${scope}`} can only be given by a user with the permission ${needed.join(' or ')}; your permissions are ${held.join(', ')}`,
    address_not_allowed: ({ address }: { address: string }) =>
      `this API key cannot be used from the IP address ${address}`,
    session_key_limited: () =>
      'this API key of the dashboard can only create its test payments; use an API key of your own',
    session_of_another_site: () => 'only pages of this service can use the session cookie',
    mode_of_other_key: ({ own, asked }: { own: string; asked: string }) =>
      `a ${own} key cannot access ${asked} data; use a ${asked} key`,
    live_key_cannot_listen: () => 'only a test API key can listen for webhooks; your key is a live key',
    reconciliation_for_owner: () => 'only the Owner can request status inquiries from providers',
  }),
  ...withCode('RATE_LIMITED', {
    login_delayed: ({ seconds }: { seconds: number }) =>
      `too many failed logins; try again in ${duration(seconds)}`,
    invitations_exceeded: ({ most, seconds }: { most: number; seconds: number }) =>
      `${most} invitations were already sent to this email address; try again in ${duration(seconds)}`,
    tenant_invitations_exceeded: ({ most, seconds }: { most: number; seconds: number }) =>
      `your tenant already sent ${most} invitations in the last 30 minutes; try again in ${duration(seconds)}`,
    partner_invitations_exceeded: ({ most, seconds }: { most: number; seconds: number }) =>
      `a Partner and its Clients together already sent ${most} invitations in the last 30 minutes; try again in ${duration(seconds)}`,
    key_guesses_exceeded: () => 'too many invalid API keys from your IP address; try again later',
    rate_exceeded: ({ credential, perSecond }: { credential: 'key' | 'user'; perSecond: number }) =>
      `this ${credential} may send ${perSecond} requests a second; slow down`,
  }),
}
