// The input schemas of the procedures for second factors. Forms in the browser use the same schemas.

import { z } from 'zod'
import { rule } from '../../faults/rule.ts'
import { MAX_AMOUNT } from '../../values/money.ts'
import { notBlank, text } from '../../values/text.ts'
import { knownPassword } from '../users/user-input.ts'

export const codeInput = z.object({
  code: text()
    .min(1)
    .max(40)
    .meta({
      ...notBlank,
      description: 'A code from the authenticator app (six digits), or a recovery code',
      example: '123456',
    }),
})

/** The password that a user without a second factor may have to enter to add one. */
export const firstFactorInput = z.object({
  current_password: knownPassword.optional().meta({
    description:
      'Your current password. Required if you have no second factor yet and logged in more than 15 minutes ago. Ignored if you have a second factor',
    example: 'correct horse battery staple',
  }),
})

export const confirmTotpInput = codeInput.extend(firstFactorInput.shape)

export const passkeyName = text().min(1).max(60)
/** The fields of the form that adds a passkey. */
export const newPasskeyInput = firstFactorInput.extend({ name: passkeyName })

const challenge = z.string().min(1).max(255).meta({
  description:
    'The `challenge` that the login returned with the error `OTP_REQUIRED`. It is valid for five minutes',
  example: 'gp_challenge_Zm9v',
})

export const challengeInput = z.object({ challenge })
export const completeLoginInput = codeInput.extend({ challenge })

/** A tenant's security settings. */
export const securityFields = {
  second_factor_required: z
    .boolean()
    .meta({ description: "Whether all of the tenant's users need a second factor", example: true }),
  refund_proof_above: z.int().min(0).max(Number(MAX_AMOUNT)).meta({
    description:
      'Amount in cents above which a refund by a user requires a second factor confirmed in the last 15 minutes. Refunds requested by users for the same payment are added up. With 0, every refund by a user requires this confirmation. API keys and users without a second factor are not affected',
    example: 100_000_000,
  }),
}

/** The security settings to change. Omitted settings keep their values. */
export const securityInput = z.object(securityFields).partial()

export const securityView = z
  .strictObject(securityFields)
  .meta({ id: 'SecuritySettings', description: 'The security settings of a tenant' })

/** The response from the browser's WebAuthn API. The library that verifies the response also checks its structure. */
export const signedInput = <Response>() =>
  z.object({ challenge, response: z.custom<Response>(isObject, rule('type_wrong', { type: 'object' })) })

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
