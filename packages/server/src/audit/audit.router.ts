import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { type AuditRow, listAudit } from './audit.sql.ts'

const auditView = z
  .strictObject({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor_tenant_id: z
      .uuid()
      .nullable()
      .meta({ description: "Who did it; null: the operator's command on the server" }),
    actor_user_id: z.uuid().nullable(),
    action: z.string().meta({ example: 'api_key.create' }),
    tenant_id: z.uuid().nullable().meta({ description: 'Whom it concerns' }),
    subject_id: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })

export const auditRouter = router({
  list: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/audit-log',
        operationId: 'listAuditLog',
        tags: ['Audit log'],
        summary: 'List the audit log',
        description:
          'Every management act: who, what, before and after without secrets, newest first. The Owner sees all, others what concerns them or what they did.',
      },
    })
    .input(pageInput)
    .output(pageOf(auditView, 'AuditEntryPage'))
    .query(async ({ ctx, input }) => {
      const viewer = ctx.caller.role === 'owner' ? null : ctx.caller.tenantId
      return toPage(await listAudit(ctx.app.db, viewer, afterId(input), input.limit + 1), input, viewAudit)
    }),
})

const viewAudit = (row: AuditRow): z.output<typeof auditView> => ({
  id: row.id,
  at: row.at.toISOString(),
  actor_tenant_id: row.actorTenantId,
  actor_user_id: row.actorUserId,
  action: row.action,
  tenant_id: row.tenantId,
  subject_id: row.subjectId,
  before: row.before as Record<string, unknown> | null,
  after: row.after as Record<string, unknown> | null,
  request_id: row.requestId,
})
