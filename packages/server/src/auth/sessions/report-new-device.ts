import type { Db } from '../../db/db.ts'
import { newDeviceMail } from '../../mail/account-mails.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import { findNewDevice } from './session-list.sql.ts'

/** Handles the job that emails a user about a login from a new device. */
export async function reportNewDevice(
  app: { db: Db; publicUrl: string; sendMail: SendMail },
  sessionId: string,
): Promise<void> {
  const device = await findNewDevice(app.db, sessionId)
  if (device) await app.sendMail(newDeviceMail({ ...device, publicUrl: app.publicUrl }))
}
