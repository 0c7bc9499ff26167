import type { Db } from '../../db/db.ts'
import { joinedUserMail } from '../../mail/joined-user-mail.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import { findJoinedUser } from './joined-user.sql.ts'

/** Handles the job that emails an admin when a user has joined the team. */
export async function reportJoinedUser(
  app: { db: Db; publicUrl: string; sendMail: SendMail },
  { adminId, userId, at }: { adminId: string; userId: string; at: Date },
): Promise<void> {
  const joined = await findJoinedUser(app.db, { adminId, userId })
  if (joined) await app.sendMail(joinedUserMail({ ...joined, at, publicUrl: app.publicUrl }))
}
