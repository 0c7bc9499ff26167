// Schemas for users, shared with forms in the browser.

import { z } from 'zod'
import { notBlank, text, trimmed } from '../../values/text.ts'
import { permissions } from './permission.ts'

/** A new password. It is not trimmed, because the user must later enter exactly the chosen password. */
export const newPassword = z.string().min(8).max(1024).meta({ example: 'correct horse battery staple' })

/**
 * The user's current password. The minimum length of new passwords does not apply to it, because earlier rules may have
 * allowed shorter passwords.
 */
export const knownPassword = z.string().min(1).max(1024).meta({ example: 'correct horse battery staple' })

/**
 * Adds zod's regular expression for email addresses to the OpenAPI document, because JSON Schema's format
 * `email` accepts different addresses. The first schema of a `pipe` must contain the expression, because the
 * document shows only this schema.
 */
const emailForm = trimmed(z.regexes.email.source.slice(1, -1))

export const permissionList = z
  .array(z.enum(permissions))
  .min(1)
  .max(permissions.length)
  .meta({
    description:
      'What the user may do. `admin`: everything. `developer`: API keys, webhooks and logs. `finance`: refunds, payouts, exports and statements. `support`: read payments and redeliver webhooks. `viewer`: read only. Every permission includes `viewer`',
    example: ['finance'],
  })

export const createUserInput = z.object({
  email: text()
    .pipe(z.email())
    .meta({ ...emailForm, example: 'budi@example.com' }),
  password: newPassword.optional().meta({
    description:
      "The user's password. If omitted, the service emails an invitation to the user, who then chooses the password",
    example: 'correct horse battery staple',
  }),
  permissions: permissionList.default(['admin']),
})

/** The fields of a user to change. Omitted fields stay unchanged. */
export const updateUserInput = z.object({
  permissions: permissionList.optional(),
  status: z.enum(['active', 'disabled']).optional().meta({
    description: "A disabled user cannot log in. Disabling a user ends all of the user's sessions",
    example: 'disabled',
  }),
})

export const acceptInvitationInput = z.object({
  token: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .meta({ description: 'The token from the link in the invitation', example: 'gp_invite_Zm9v' }),
  new_password: newPassword,
})

export const changePasswordInput = z.object({ current_password: knownPassword, new_password: newPassword })

const email = text()
  .min(1)
  .meta({ ...notBlank, example: 'client@example.com' })

export const loginInput = z.object({ email, password: knownPassword })

export const forgottenPasswordInput = z.object({ email })

export const requestPasswordResetInput = z.object({
  tenant_id: z.guid().meta({ example: '01990000-0000-7000-8000-000000000010' }),
  email,
})

export const confirmPasswordResetInput = z.object({
  token: z.string().trim().min(1).max(255).meta({ example: 'gp_reset_Zm9v' }),
  new_password: newPassword,
})
