import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import { newDeviceMail } from '../../mail/account-mails.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import { sendSecurityMail } from '../../mail/send-security-mail.ts'
import { findNewDevice } from './session-list.sql.ts'

/**
 * Handles the job that emails a user about a login from a new device. `client` is the program that logged in. The
 * session's own address and User-Agent may already belong to a later use.
 */
export async function reportNewDevice(
  app: { db: Db; log: Logger; publicUrl: string; sendMail: SendMail },
  sessionId: string,
  client?: { address: string | null; user_agent: string | null },
): Promise<void> {
  const device = await findNewDevice(app.db, sessionId)
  if (!device) return
  const { userId, ...lastUse } = device
  const login = client ? { ...lastUse, address: client.address, userAgent: client.user_agent } : lastUse
  await sendSecurityMail(app, 'login', newDeviceMail({ ...login, publicUrl: app.publicUrl }), userId)
}
