// The jobs by name, with the schema of their payload. A job refers to rows that need work; migrations/0005 has the
// SQL function that enqueues one in the caller's transaction.

import { z } from 'zod'

/** The spans that caused the job, if traced (tracing/span.ts). */
const traces = z.array(z.string()).optional()

export const payloads = {
  apply_callbacks: z.object({ callback_ids: z.array(z.uuid()), traces }),
  /** A callback that cannot be processed together with others. */
  apply_callback: z.object({ callback_id: z.uuid() }),
  /** Inquires about the payments that an unreadable callback may refer to. */
  inquire_unreadable: z.object({ callback_id: z.uuid() }),
  /** The events that this job has claimed, until `held_until`. */
  deliver_webhooks: z.object({
    held_until: z.coerce.date(),
    events: z.array(z.object({ tenant_id: z.uuid(), event_id: z.uuid() })),
  }),
  /** Tenants that have due events in the table. */
  deliver_due_webhooks: z.object({ tenant_ids: z.array(z.uuid()) }),
  /** Enqueued by the previous release: the event is due in the table. */
  deliver_webhook: z.object({ tenant_id: z.uuid(), event_id: z.uuid() }),
  /** For payments created before inquiries were scheduled (migration 0031). */
  schedule_inquiries: z.object({}),
  send_password_reset: z.object({ tenant_id: z.uuid(), email: z.string(), requested_at: z.coerce.date() }),
  note_login_attack: z.object({ address: z.string(), at: z.coerce.date() }),
}

export type TaskName = keyof typeof payloads
export type Payload<Name extends TaskName> = z.output<(typeof payloads)[Name]>
