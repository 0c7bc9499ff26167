// The jobs there are, by name, with what each is told. A job is a call to look at a row; migrations/0005 has
// the SQL function that queues one in the caller's transaction.

import { z } from 'zod'

/** What brought the work, where it is traced (tracing/span.ts). */
const traces = z.array(z.string()).optional()

export const payloads = {
  apply_callbacks: z.object({ callback_ids: z.array(z.uuid()), traces }),
  /** One that cannot be settled together with others. */
  apply_callback: z.object({ callback_id: z.uuid() }),
  /** The payments that an unreadable callback may be about. */
  inquire_unreadable: z.object({ callback_id: z.uuid() }),
  /** Events that this job holds. */
  deliver_webhooks: z.object({
    held_until: z.coerce.date(),
    events: z.array(z.object({ tenant_id: z.uuid(), event_id: z.uuid() })),
  }),
  /** Of these tenants there are due events in the table. */
  deliver_due_webhooks: z.object({ tenant_ids: z.array(z.uuid()) }),
  /** What the version before this one queues: the event is due in the table. */
  deliver_webhook: z.object({ tenant_id: z.uuid(), event_id: z.uuid() }),
  /** Of payments that were created before there was a schedule of inquiries (migration 0031). */
  schedule_inquiries: z.object({}),
  send_password_reset: z.object({ tenant_id: z.uuid(), email: z.string(), requested_at: z.coerce.date() }),
  note_login_attack: z.object({ address: z.string(), at: z.coerce.date() }),
}

export type TaskName = keyof typeof payloads
export type Payload<Name extends TaskName> = z.output<(typeof payloads)[Name]>
