import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { findBranding } from './branding.sql.ts'
import { brandingInput } from './branding-input.ts'
import { brandingView, viewBranding } from './branding-view.ts'
import { readBrandingInput } from './read-branding-input.ts'
import { setBranding } from './set-branding.ts'

const operation = { path: '/v1/branding' as const, tags: ['Account'] }
/**
 * Only tenants with the role Client (merchants) have payments, so payers never see the branding of a tenant with
 * another role.
 */
const roles = ['client'] as const

export const brandingRouter = router({
  get: userProcedure({ permission: 'viewer', roles: [...roles] })
    .meta({
      openapi: {
        ...operation,
        method: 'GET',
        operationId: 'getBranding',
        summary: 'Get the branding',
        description:
          "Returns the name, color and logo that payers see on the service's pages, such as the page to which an e-wallet returns the payer. A field that is not set is null. If all fields are null, the pages show nothing about the merchant.",
      },
    })
    .input(z.object({}))
    .output(brandingView)
    .query(async ({ ctx }) => {
      const { tenantId } = ctx.caller
      return viewBranding(tenantId, ctx.app.publicUrl, await findBranding(ctx.app.db, tenantId))
    }),

  set: userProcedure({ permission: 'admin', roles: [...roles] })
    .meta({
      openapi: {
        ...operation,
        method: 'PUT',
        operationId: 'setBranding',
        summary: 'Set the branding',
        description:
          'Replaces the name, color and logo that payers see; null removes a field. The color is the background for white text, so its contrast with white must be at least 4.5:1 (WCAG 2.2, success criterion 1.4.3). The logo is a PNG, JPEG or WebP image. To keep the current logo, send the `logo` that `GET /v1/branding` returned. The request is safe to retry.',
      },
    })
    .input(brandingInput)
    .output(brandingView)
    .mutation(async ({ ctx, input }) => {
      const branding = await setBranding(ctx.app, ctx.caller, readBrandingInput(input))
      return viewBranding(ctx.caller.tenantId, ctx.app.publicUrl, branding)
    }),
})
