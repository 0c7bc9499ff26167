// Schemas for users, shared with forms in the browser.

import { z } from 'zod'
import { notBlank, text, trimmed } from '../../values/text.ts'

/** A new password. It is not trimmed, because the user must later enter exactly the password that was chosen. */
export const newPassword = z.string().min(8).max(1024).meta({ example: 'correct horse battery staple' })

/** The user's current password, which may have been chosen when other rules applied. */
const knownPassword = z.string().min(1).max(1024).meta({ example: 'correct horse battery staple' })

/**
 * zod's rule for e-mail addresses, as a pattern. The OpenAPI document shows only the first half of a pipe, and JSON
 * Schema's `email` format differs from zod's rule.
 */
const emailForm = trimmed(z.regexes.email.source.slice(1, -1))

export const createUserInput = z.object({
  email: text()
    .pipe(z.email())
    .meta({ ...emailForm, example: 'budi@example.com' }),
  password: newPassword,
})

export const changePasswordInput = z.object({ current_password: knownPassword, new_password: newPassword })

const email = text()
  .min(1)
  .meta({ ...notBlank, example: 'client@example.com' })

export const loginInput = z.object({ email, password: knownPassword })

export const requestPasswordResetInput = z.object({
  tenant_id: z.uuid().meta({ example: '01990000-0000-7000-8000-000000000010' }),
  email,
})

export const confirmPasswordResetInput = z.object({
  token: z.string().min(1).max(255).meta({ example: 'gp_reset_Zm9v' }),
  new_password: newPassword,
})
