// The jobs there are, by name, with what each is told. A job is a call to look at a row; migrations/0005 has
// the SQL function that queues one in the caller's transaction.

import { z } from 'zod'

export const payloads = {
  apply_callback: z.object({ callback_id: z.uuid() }),
  deliver_webhook: z.object({ tenant_id: z.uuid(), event_id: z.uuid() }),
  send_password_reset: z.object({ tenant_id: z.uuid(), email: z.string(), requested_at: z.coerce.date() }),
}

export type TaskName = keyof typeof payloads
export type Payload<Name extends TaskName> = z.output<(typeof payloads)[Name]>
