import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import { newDeviceMail } from '../../mail/account-mails.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import { sendSecurityMail } from '../../mail/send-security-mail.ts'
import { findNewDevice } from './session-list.sql.ts'

/** Handles the job that emails a user about a login from a new device. */
export async function reportNewDevice(
  app: { db: Db; log: Logger; publicUrl: string; sendMail: SendMail },
  sessionId: string,
): Promise<void> {
  const device = await findNewDevice(app.db, sessionId)
  if (!device) return
  const { userId, ...login } = device
  await sendSecurityMail(app, 'login', newDeviceMail({ ...login, publicUrl: app.publicUrl }), userId)
}
