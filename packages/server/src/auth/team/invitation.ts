// An invitation is a link for setting the first password. It is emailed to the user, works once and expires after a
// week. The database stores only a hash of the link's token.

import { randomBytes } from 'node:crypto'
import { after } from '../../values/time.ts'

export const INVITATION_DAYS = 7

export const newInvitationToken = (): string => `gp_invite_${randomBytes(32).toString('base64url')}`

export const invitationEnd = (from: Date): Date => after(from, INVITATION_DAYS * 86_400_000)
