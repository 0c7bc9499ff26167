import { z } from 'zod'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { startOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { moment, periodBetween } from '../values/day.ts'
import { text } from '../values/text.ts'
import { type AuditRow, countAudit, listAudit } from './audit.sql.ts'

const auditView = z
  .strictObject({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor_tenant_id: z.uuid().nullable().meta({
      description:
        'ID of the tenant whose user made the change; null if a command on the server or the service itself made the change',
    }),
    actor_user_id: z.uuid().nullable(),
    actor_email: z.string().nullable().meta({
      description:
        "Email address of the user who made the change. Visible to the Owner and to the user's own tenant; null for all other callers",
      example: 'budi@example.com',
    }),
    action: z.string().meta({ example: 'api_key.create' }),
    tenant_id: z.uuid().nullable().meta({ description: 'ID of the tenant affected by the change' }),
    subject_id: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    request_id: z.string().nullable(),
  })
  .meta({
    id: 'AuditEntry',
    description:
      'An entry of the audit log, which records one management change, or one read in the support view',
  })

const listInput = longListInput.extend({
  tenant_id: z.uuid().optional().meta({ description: 'Only entries about the tenant with this ID' }),
  action: text()
    .optional()
    .meta({ description: 'Only entries with exactly this action', example: 'api_key.create' }),
  from: moment.optional().meta({
    description:
      'Only entries at or after this time (inclusive). A date means the start of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-01',
  }),
  to: moment.optional().meta({
    description:
      'Only entries at or before this time (inclusive). A date means the end of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-30',
  }),
})

export const auditRouter = router({
  list: userProcedure({ permission: 'admin' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/audit-log',
        operationId: 'listAuditLog',
        tags: ['Audit log'],
        summary: 'List the audit log',
        description:
          "Lists every management change, newest first by default: who made it, the action, and the values before and after, without secrets. It also lists who read a merchant's payments, refunds or callbacks (`payment.list`, `payment.open`, `refund.list`, `callback.list`). The Owner sees all entries. Other tenants see the entries for changes that concern them or that their users made. In an entry about the operator's fees, `before` and `after` are null for a Client of a Partner, because these fees are the Partner's cost.",
      },
    })
    .input(listInput)
    .output(longListOf(auditView, 'AuditEntryPage'))
    .query(async ({ ctx, input }) => {
      const viewer = ctx.caller.role === 'owner' ? null : ctx.caller.tenantId
      const filter = {
        tenantId: input.tenant_id ?? null,
        action: input.action ?? null,
        ...periodBetween(input.from, input.to),
      }
      const rows = await listAudit(ctx.app.db, viewer, filter, startOf(input), input.limit + 1)
      return {
        ...toPage(rows, input, viewAudit),
        ...(await totalOf(input, () => countAudit(ctx.app.db, viewer, filter))),
      }
    }),
})

const viewAudit = (row: AuditRow): z.output<typeof auditView> => ({
  id: row.id,
  at: row.at.toISOString(),
  actor_tenant_id: row.actorTenantId,
  actor_user_id: row.actorUserId,
  actor_email: row.actorEmail,
  action: row.action,
  tenant_id: row.tenantId,
  subject_id: row.subjectId,
  before: row.before as Record<string, unknown> | null,
  after: row.after as Record<string, unknown> | null,
  request_id: row.requestId,
})
