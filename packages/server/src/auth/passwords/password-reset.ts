// Password reset tokens. A token is emailed to the user's address, works once and expires after half an hour. The
// database stores only hashes of tokens.

import { randomBytes } from 'node:crypto'
import { after } from '../../values/time.ts'

export const RESET_TOKEN_MINUTES = 30

export const newResetToken = (): string => `gp_reset_${randomBytes(32).toString('base64url')}`

export const resetTokenEnd = (from: Date): Date => after(from, RESET_TOKEN_MINUTES * 60_000)
