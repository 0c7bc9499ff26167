// The schemas of requests about second factors. Forms in the browser use the same schemas.

import { z } from 'zod'
import { rule } from '../../faults/rule.ts'
import { notBlank, text } from '../../values/text.ts'

export const codeInput = z.object({
  code: text()
    .min(1)
    .max(40)
    .meta({
      ...notBlank,
      description: 'A code of the authenticator app (six digits), or a recovery code',
      example: '123456',
    }),
})

const challenge = z.string().min(1).max(255).meta({
  description: 'The `challenge` of the error `OTP_REQUIRED`. It is valid for five minutes',
  example: 'gp_challenge_Zm9v',
})

export const challengeInput = z.object({ challenge })
export const completeLoginInput = codeInput.extend({ challenge })

/** The response of the browser's WebAuthn API. The library that verifies the response also checks its structure. */
export const signedInput = <Response>() =>
  z.object({ challenge, response: z.custom<Response>(isObject, rule('type_wrong', { type: 'object' })) })

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
