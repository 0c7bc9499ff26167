// Example operations for a merchant's user: logging in, receiving webhooks, and reading the tenant's account.

import { deliveryExample, sentDeliveryExample } from './delivery-examples.ts'
import { eventExamples } from './event-examples.ts'
import type { Example } from './example-parts.ts'
import {
  at,
  callbackUrl,
  exampleId,
  examplePayment,
  exampleTenantId,
  page,
  webhookSecret,
} from './example-parts.ts'
import { secondFactorExamples } from './second-factor-examples.ts'
import { signedExample } from './signed-example.ts'
import { merchant, user } from './tenant-examples.ts'

/** The log entry for a request to create a payment with an amount of zero. */
const loggedRequest = {
  id: exampleId(16),
  request_id: exampleId(17),
  mode: 'test',
  api_key_id: exampleId(13),
  api_key_name: 'web shop',
  method: 'POST',
  route: '/v1/payments/create',
  path: '/v1/payments/create',
  status: 400,
  error_code: 'BAD_REQUEST',
  error_field: 'amount',
  idempotency_key: 'order-1001',
  duration_ms: 3,
  client_address: '203.0.113.7',
  user_agent: 'gapura-sdk/0.1.0 node/26.0.0',
  payment_id: null,
  payment_code: null,
  created_at: at,
}
const endpoint = { callback_url: callbackUrl, secret: webhookSecret, previous_secret_expires_at: null }

/** A logo of one pixel. */
const logo = {
  content_type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgL8sDAAGLAPQ8xSAqAAAAAElFTkSuQmCC',
}
const branding = {
  display_name: 'Toko Budi',
  color: '#0f766e',
  logo: {
    ...logo,
    width: 1,
    height: 1,
    url: `https://pay.example.com/branding/${exampleTenantId}/logo/b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184`,
  },
}

const login = {
  access_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2ln',
  refresh_token: 'gp_refresh_Zm9v',
  token_type: 'Bearer',
  expires_in: 900,
}
const credentials = { email: user.email, password: 'correct horse battery staple' }

export const accountExamples: Record<string, Example> = {
  getAccount: {
    response: {
      ...merchant,
      partner_name: 'Demonstration partner',
      user,
      second_factor_required: false,
      refund_proof_above: 100_000_000,
      has_second_factor: false,
    },
  },
  login: {
    request: { login: credentials },
    response: login,
    failures: {
      BAD_REQUEST: ['email: must not be empty'],
      OTP_REQUIRED: [
        'to finish the login, send the challenge and a code of your second factor to POST /v1/auth/login/otp',
      ],
      UNAUTHORIZED: ['email address or password is wrong'],
      FORBIDDEN: ['this tenant is suspended'],
      RATE_LIMITED: ['too many failed logins; try again in 14 minutes'],
    },
  },
  completeLogin: {
    request: {
      code: { challenge: 'gp_challenge_Zm9v', code: '123456' },
      recovery_code: { challenge: 'gp_challenge_Zm9v', code: 'k7m2p-x4w9q' },
    },
    responses: { code: login, recovery_code: login },
    failures: {
      UNAUTHORIZED: [
        'the code of the second factor is wrong or was already used',
        'the login challenge is unknown, used or expired; log in again',
      ],
      FORBIDDEN: ['this tenant is suspended'],
      RATE_LIMITED: ['too many failed logins; try again in 14 minutes'],
    },
  },
  refresh: {
    request: { refresh: { refresh_token: login.refresh_token } },
    response: login,
    failures: {
      UNAUTHORIZED: ['the refresh token is unknown, used, expired or revoked; log in again'],
      FORBIDDEN: ['this tenant is suspended'],
    },
  },
  logout: { request: { logout: { refresh_token: login.refresh_token } }, response: { logged_out: true } },
  requestPasswordReset: {
    request: { reset: { tenant_id: exampleTenantId, email: user.email } },
    response: { requested: true },
  },
  confirmPasswordReset: {
    request: { reset: { token: 'gp_reset_Zm9v', new_password: 'an even longer pass phrase' } },
    response: { reset: true },
    failures: {
      BAD_REQUEST: [
        'token: is invalid: it was used, has expired or never existed; request another password reset',
      ],
    },
  },
  acceptInvitation: {
    request: { accept: { token: 'gp_invite_Zm9v', new_password: 'an even longer pass phrase' } },
    response: { accepted: true },
    failures: {
      BAD_REQUEST: [
        'token: is invalid: it was used, has expired or never existed; ask for another invitation',
      ],
    },
  },
  ...secondFactorExamples,
  listSessions: {
    response: page({
      id: exampleId(18),
      is_current: true,
      created_at: at,
      last_used_at: at,
      address: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
    }),
  },
  endSession: { response: { ended: true } },
  endOtherSessions: { response: { ended: 2 } },
  getNotifications: { response: { receiver_failing: true, key_expiring: true } },
  updateNotifications: {
    request: { turn_off: { receiver_failing: false } },
    response: { receiver_failing: false, key_expiring: true },
    failures: {
      BAD_REQUEST: ['provider_down: is a kind of email that users with your role and permissions never get'],
    },
  },
  getBranding: { response: branding },
  setBranding: {
    request: {
      all: { display_name: 'Toko Budi', color: '#0f766e', logo },
      none: { display_name: null, color: null, logo: null },
    },
    responses: { all: branding, none: { display_name: null, color: null, logo: null } },
    failures: {
      BAD_REQUEST: [
        'color: must have a contrast of at least 4.5:1 with white, but has 2.02:1; choose a darker color',
        'logo.data: must be a PNG, JPEG or WebP picture',
      ],
    },
  },
  changePassword: {
    request: {
      change: { current_password: credentials.password, new_password: 'an even longer pass phrase' },
    },
    response: { changed: true },
    failures: {
      BAD_REQUEST: ['current_password: is wrong'],
      RATE_LIMITED: ['too many failed logins; try again in 14 minutes'],
    },
  },
  getWebhook: { response: endpoint },
  setWebhook: {
    request: { https: { callback_url: callbackUrl }, none: { callback_url: null } },
    responses: { https: endpoint, none: { ...endpoint, callback_url: null } },
    failures: { BAD_REQUEST: ['callback_url: must begin with https://'] },
  },
  rotateWebhookSecret: {
    request: { keep_previous: {}, leaked_secret: { revoke_previous: true } },
    responses: {
      keep_previous: { ...endpoint, previous_secret_expires_at: '2026-11-21T03:04:05.678Z' },
      leaked_secret: endpoint,
    },
    failures: {
      CONFLICT: [
        '10 previous webhook secrets are still active; wait until 2026-11-21T03:04:05.678Z, when the first one expires, or send revoke_previous: true to revoke all',
      ],
    },
  },
  sendTestWebhook: {
    response: {
      ...deliveryExample,
      type: 'webhook.test',
      payment_id: null,
      payment_code: null,
      status: 'pending',
      next_attempt_at: at,
      attempts: [],
    },
    failures: { CONFLICT: ['there is no callback URL; set one with PUT /v1/account/webhook'] },
  },
  listWebhookDeliveries: { query: { mode: { test_mode: 'test' } }, response: page(deliveryExample) },
  eraseCustomer: {
    request: { by_email: { customer_email: 'siti@example.com' } },
    response: { erased: 0 },
    failures: { NOT_FOUND: [`payment ${examplePayment.id} not found`] },
  },
  listTenantPaymentDeliveries: { response: page(deliveryExample) },
  redeliverFailedWebhooks: {
    request: { after_an_outage: { since: '2026-11-20T00:00:00Z', mode: 'test' } },
    response: { redelivered: 1 },
    failures: { CONFLICT: ['there is no callback URL; set one with PUT /v1/account/webhook'] },
  },
  getWebhookDelivery: {
    response: sentDeliveryExample,
  },
  redeliverWebhook: {
    response: { ...deliveryExample, status: 'pending', next_attempt_at: at },
    failures: {
      CONFLICT: [
        `webhook event ${deliveryExample.id} is still being delivered; wait until its attempts have ended`,
        'there is no callback URL; set one with PUT /v1/account/webhook',
      ],
    },
  },
  listenForWebhooks: {
    response: {
      events: [{ id: exampleId(2), ...signedExample(eventExamples['payment.paid']) }],
      cursor: 'MDE5OTAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAy',
    },
    failures: {
      BAD_REQUEST: ['cursor: is invalid; pass the cursor of the previous response back unchanged'],
    },
  },
  listRequests: { response: page(loggedRequest) },
  getRequest: { response: loggedRequest, failures: { NOT_FOUND: [`request ${exampleId(17)} not found`] } },
  listAuditLog: {
    response: page({
      id: exampleId(4),
      at,
      actor_tenant_id: exampleTenantId,
      actor_user_id: exampleId(11),
      actor_email: 'client@example.com',
      action: 'webhook.set_url',
      tenant_id: exampleTenantId,
      subject_id: null,
      before: { callback_url: null },
      after: { callback_url: callbackUrl },
      request_id: exampleId(12),
    }),
  },
}
