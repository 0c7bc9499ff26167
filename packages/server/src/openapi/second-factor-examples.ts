// Example operations on a user's second factors.

import { at, type Example, exampleId } from './example-parts.ts'

const recoveryCodes = ['k7m2p-x4w9q', 'b3d8f-h6j2k']
const kept = 'you cannot remove your last second factor, because your tenant requires one'

export const secondFactorExamples: Record<string, Example> = {
  getSecondFactor: {
    response: {
      is_required: false,
      has_totp: true,
      passkeys: [{ id: exampleId(19), name: 'Laptop', created_at: at, last_used_at: null }],
      recovery_codes_left: 10,
    },
  },
  startTotp: {
    response: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Gapura:client%40example.com?issuer=Gapura&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
    failures: { CONFLICT: ['an authenticator app is already enabled; disable it first'] },
  },
  confirmTotp: {
    request: { first_factor: { code: '123456', current_password: 'correct horse battery staple' } },
    response: { recovery_codes: recoveryCodes },
    failures: {
      BAD_REQUEST: ['code: is wrong or was already used', 'current_password: is wrong'],
      CONFLICT: [
        'there is no authenticator app secret to confirm; create one with POST /v1/account/second-factor/totp',
      ],
      RATE_LIMITED: ['too many failed logins; try again in 14 minutes'],
    },
  },
  removeTotp: {
    response: { removed: true },
    failures: { CONFLICT: [kept, 'no authenticator app is enabled'] },
  },
  renewRecoveryCodes: {
    response: { recovery_codes: recoveryCodes },
    failures: { CONFLICT: ['you have no second factor; add one first'] },
  },
  confirmSecondFactor: {
    request: { code: { code: '123456' } },
    response: { confirmed: true },
    failures: {
      BAD_REQUEST: ['code: is wrong or was already used'],
      RATE_LIMITED: ['too many failed logins; try again in 14 minutes'],
    },
  },
  removePasskey: { response: { removed: true }, failures: { CONFLICT: [kept] } },
  setSecurity: {
    request: { required: { second_factor_required: true } },
    response: { second_factor_required: true, refund_proof_above: 100_000_000 },
    failures: { CONFLICT: ['second_factor_required: you have no second factor; add one first'] },
  },
}
