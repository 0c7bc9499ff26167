import type { Mailer } from '../mail/email-users.ts'
import { findOwnerId } from '../tenants/tenant.sql.ts'
import { mailNotices } from './mail-notices.ts'
import { type NoticeWebhook, postNotices } from './post-notices.ts'
import { recordNotices } from './record-notices.ts'

export type NoticeDeps = Mailer & { publicUrl: string; noticeWebhook: NoticeWebhook | undefined }

/**
 * Records the current problems ("conditions"), and sends the notices that are due by email and to the Owner's
 * webhook. If a notice could not be sent, throws an error, and the next call sends the notice again.
 */
export async function sendNotices(app: NoticeDeps): Promise<void> {
  const at = app.clock()
  const ownerId = await findOwnerId(app.db)
  if (ownerId === undefined) return
  await recordNotices(app.db, ownerId, at)
  const failures: unknown[] = []
  // The two channels (email and webhook) run one after the other, because each channel skips notices that the other has
  // locked.
  for (const send of [() => mailNotices(app, at), () => postNotices(app, ownerId, at)])
    await send().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'notices could not be sent')
}
