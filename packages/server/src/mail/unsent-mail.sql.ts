import type { Db } from '../db/db.ts'
import type { Mail } from './mail.ts'

/** An email that the mail server has not accepted yet. The job contains the user's ID instead of the address. */
export type UnsentMail = Omit<Mail, 'to'> & { userId: string; createdAt: Date }

/** Enqueues one job for each email. */
export async function enqueueUnsentMails(db: Db, mails: readonly UnsentMail[]): Promise<void> {
  await db.raw(
    `select enqueue('send_unsent_mail', array_agg(
       json_build_object('user_id', m."userId", 'subject', m.subject, 'text', m.text,
         'created_at', m."createdAt")), array_agg(null::text))
     from json_to_recordset(:mails::json) as m ("userId" uuid, subject text, text text, "createdAt" text)`,
    { mails: JSON.stringify(mails) },
  )
}

/** Returns the email address of an active user. */
export async function findActiveAddress(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { email: string }[] }>(
    `select email from users where id = ? and status = 'active'`,
    [userId],
  )
  return rows[0]?.email
}
