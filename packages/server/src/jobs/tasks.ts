// The tasks by name, each with the schema of its jobs' payload. A job refers to rows that need work. The SQL function
// in migrations/0005 enqueues a job in the caller's transaction.

import { z } from 'zod'

/** The spans that caused the job; undefined without tracing (tracing/span.ts). */
const traces = z.array(z.string()).optional()

export const payloads = {
  apply_callbacks: z.object({ callback_ids: z.array(z.uuid()), traces }),
  /** Processes one callback that cannot be processed together with others. */
  apply_callback: z.object({ callback_id: z.uuid() }),
  /** Sends status inquiries for the payments to which an unreadable callback may refer. */
  inquire_unreadable: z.object({ callback_id: z.uuid() }),
  /** Delivers the webhook events that this job has claimed until `held_until`. */
  deliver_webhooks: z.object({
    held_until: z.coerce.date(),
    events: z.array(z.object({ tenant_id: z.uuid(), event_id: z.uuid() })),
  }),
  /** Delivers the due events in the table, for these tenants. */
  deliver_due_webhooks: z.object({ tenant_ids: z.array(z.uuid()) }),
  /** Enqueued only by the previous release, for an event that is due in the table. */
  deliver_webhook: z.object({ tenant_id: z.uuid(), event_id: z.uuid() }),
  /** Schedules inquiries for payments that were created before inquiries were scheduled (migration 0031). */
  schedule_inquiries: z.object({}),
  send_password_reset: z.object({ tenant_id: z.uuid(), email: z.string(), requested_at: z.coerce.date() }),
  note_login_attack: z.object({ address: z.string(), at: z.coerce.date() }),
}

export type TaskName = keyof typeof payloads
export type Payload<Name extends TaskName> = z.output<(typeof payloads)[Name]>
