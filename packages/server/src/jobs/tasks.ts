// Maps each task to its payload schema. A payload only identifies the rows to process. The exception is an unsent
// email, whose payload also contains the email's subject and text. The SQL function `enqueue` (migrations/0005) adds a
// job in the caller's transaction.

import { z } from 'zod'
import { securityChanges } from '../mail/security-change-mail.ts'

/** The trace spans in which the job was queued; undefined if tracing is off (tracing/span.ts). */
const traces = z.array(z.string()).optional()
/** The IP address and User-Agent of the browser or program that a mail reports. */
const jobClient = z.object({ address: z.string().nullable(), user_agent: z.string().nullable() })

export const payloads = {
  apply_callbacks: z.object({ callback_ids: z.array(z.uuid()), traces }),
  /**
   * Processes one stored callback separately from its batch, for example because the callback requires a
   * status inquiry.
   */
  apply_callback: z.object({ callback_id: z.uuid() }),
  /** Sends status inquiries for the payments that an unreadable callback may refer to. */
  inquire_unreadable: z.object({ callback_id: z.uuid() }),
  /** Delivers the webhook events that are leased to this job until `held_until`. */
  deliver_webhooks: z.object({
    held_until: z.coerce.date(),
    events: z.array(z.object({ tenant_id: z.uuid(), event_id: z.uuid() })),
  }),
  /** Delivers the given tenants' webhook events that the database lists as due. */
  deliver_due_webhooks: z.object({ tenant_ids: z.array(z.uuid()) }),
  /**
   * Delivers one webhook event if the database lists it as due. Only processes of the previous release
   * enqueue this task, for example during an upgrade.
   */
  deliver_webhook: z.object({ tenant_id: z.uuid(), event_id: z.uuid() }),
  /** Delivers due events to the given webhook endpoints, which a tenant can have in addition to its callback URL. */
  deliver_to_endpoints: z.object({
    endpoints: z.array(z.object({ tenant_id: z.uuid(), endpoint_id: z.uuid() })),
  }),
  /**
   * Schedules status inquiries for payments that an earlier version created without scheduling any (migration 0031).
   */
  schedule_inquiries: z.object({}),
  /**
   * Emails a password reset token. `tenant_id` is null if the request came from the dashboard, because such a
   * request contains only the email address. `source` is the network that sent the request. It determines the priority
   * when the job is added, and jobs of earlier versions do not have it.
   */
  send_password_reset: z.object({
    tenant_id: z.uuid().nullable(),
    email: z.string(),
    source: z.string().optional(),
    requested_at: z.coerce.date(),
  }),
  /**
   * Emails one user again. In the first attempt, the mail server accepted the emails to other users but not the email
   * to this user.
   */
  send_unsent_mail: z.object({
    user_id: z.uuid(),
    subject: z.string(),
    text: z.string(),
    created_at: z.coerce.date(),
  }),
  send_invitation: z.object({ user_id: z.uuid() }),
  /** Emails an admin when a user accepts an invitation to the team. */
  report_joined_user: z.object({ admin_id: z.uuid(), user_id: z.uuid(), at: z.coerce.date() }),
  /**
   * Emails a user about a login. `client` is the program that logged in. A job of an earlier version has no `client`,
   * and uses the program that used the session last.
   */
  report_new_device: z.object({ session_id: z.uuid(), client: jobClient.optional() }),
  /**
   * Emails a user about a change to the password or second factor. `client` is null if another person made the
   * change.
   */
  report_security_change: z.object({
    user_id: z.uuid(),
    change: z.enum(securityChanges),
    at: z.coerce.date(),
    client: jobClient.nullable(),
  }),
  /**
   * Adds counter-accounts (the other account of a transfer) to ledger entries posted by earlier versions (migration
   * 0047).
   */
  complete_books: z.object({}),
  note_login_attack: z.object({ address: z.string(), at: z.coerce.date() }),
}

export type TaskName = keyof typeof payloads
export type Payload<Name extends TaskName> = z.output<(typeof payloads)[Name]>
