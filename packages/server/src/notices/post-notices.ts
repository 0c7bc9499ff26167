// Posts the Owner's notices to a URL that the operator configured, such as that of an on-call service.

import type { Db } from '../db/db.ts'
import { signedHeaders } from '../webhooks/delivery/sign.ts'
import type { DueNotice } from './notice.sql.ts'
import { noticeLink, noticeSummary } from './notice-mail.ts'
import { sendDueNotices } from './send-due-notices.ts'

/**
 * The webhook that receives the Owner's notices (messages about problems). `secret` is the signing key in
 * base64, with the prefix `whsec_`.
 */
export type NoticeWebhook = { url: string; secret: string }

const TIMEOUT_MS = 10_000

/**
 * Posts the Owner's notices, and repeats them once a day while the problem lasts. A response status outside 200 to
 * 299 counts as a failure. The next call posts the failed notice again, with the same ID.
 */
export async function postNotices(
  { db, publicUrl, noticeWebhook }: { db: Db; publicUrl: string; noticeWebhook: NoticeWebhook | undefined },
  ownerId: string,
  at: Date,
): Promise<void> {
  if (!noticeWebhook) return
  await sendDueNotices(db, { channel: 'webhook', tenantId: ownerId, at }, notice =>
    post(noticeWebhook, messageOf(notice, publicUrl, at), at),
  )
}

/**
 * Returns the webhook message for a notice. If sending the message fails, the next attempt uses the same
 * message ID. If the notice is repeated later, the new message has a new ID.
 */
const messageOf = (notice: DueNotice, publicUrl: string, at: Date) => ({
  id: [notice.id, notice.since.getTime(), notice.sentBefore?.getTime() ?? 0].join('-'),
  type: `notice.${notice.kind}`,
  created_at: at.toISOString(),
  data: {
    summary: noticeSummary(notice),
    since: notice.since.toISOString(),
    dashboard_url: noticeLink(notice, publicUrl),
    ...notice.detail,
  },
})

async function post(
  { url, secret }: NoticeWebhook,
  message: ReturnType<typeof messageOf>,
  at: Date,
): Promise<void> {
  const body = JSON.stringify(message)
  const response = await fetch(url, {
    method: 'POST',
    headers: signedHeaders({ id: message.id, type: message.type, body }, [secret], at),
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the receiver of notices responded with status ${response.status}`)
}
