import type { Mailer } from '../mail/email-users.ts'
import { findOwnerId } from '../tenants/tenant.sql.ts'
import { mailNotices } from './mail-notices.ts'
import { type NoticeWebhook, postNotices } from './post-notices.ts'
import { recordNotices } from './record-notices.ts'

export type NoticeDeps = Mailer & { publicUrl: string; noticeWebhook: NoticeWebhook | undefined }

/**
 * Records the current problems ("conditions"), and sends the due notices by email and to the Owner's webhook.
 * Throws if a notice could not be sent. The next call sends it again.
 */
export async function sendNotices(app: NoticeDeps): Promise<void> {
  const at = app.clock()
  const ownerId = await findOwnerId(app.db)
  if (ownerId === undefined) return
  await recordNotices(app.db, ownerId, at)
  const failures: unknown[] = []
  // The two channels (email and webhook) run one after the other. If they ran at the same time, each would skip the
  // notices that the other has locked.
  for (const send of [() => mailNotices(app, at), () => postNotices(app, ownerId, at)])
    await send().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'notices could not be sent')
}
