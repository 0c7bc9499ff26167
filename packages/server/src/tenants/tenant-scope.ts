import type { TenantScope } from '../db/tenant-scope.ts'
import type { Viewer } from './tenant.ts'

/**
 * Returns the tenants the viewer can see (tenant.ts), in the form that row-level security uses to restrict access.
 * Undefined means all tenants.
 */
export function scopeOfViewer(viewer: Viewer): TenantScope | undefined {
  if (viewer === null || viewer.role === 'owner') return undefined
  const { tenantId, role } = viewer
  return role === 'partner' ? { tenants: [], partners: [tenantId] } : { tenants: [tenantId], partners: [] }
}
